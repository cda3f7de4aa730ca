export { idempotencyKeys, inbox, outbox } from '@bursar/store/schema'
