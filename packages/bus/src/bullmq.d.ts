// The whole of BullMQ brings its PostgreSQL backend, relays and flows along: two megabytes in every process.
declare module 'bullmq/dist/cjs/classes/queue' {
  export { Queue } from 'bullmq'
}

declare module 'bullmq/dist/cjs/classes/worker' {
  export { Worker } from 'bullmq'
}

declare module 'bullmq/dist/cjs/classes/errors/unrecoverable-error' {
  export { UnrecoverableError } from 'bullmq'
}
