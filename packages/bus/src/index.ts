export { type Bus, type BusOptions, connectBus } from './bus'
export type { Consumer, Handle } from './consume'
export * from './dead-letters'
export { waitingEvents } from './waiting-events'
