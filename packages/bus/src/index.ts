export { type Bus, connectBus } from './bus'
export type { Consumer, Handle } from './consume'
