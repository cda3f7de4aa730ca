import { type Consumer, institutionConsumers } from '@bursar/http'
import type { Store } from '@bursar/store'
import { institutions } from './institutions'

/** Learns at once that an institution was offboarded or deleted. */
export const endedConsumers = (store: Store): Consumer[] => institutionConsumers(store, institutions)
