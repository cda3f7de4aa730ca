import { type Consumer, institutionConsumers } from '@bursar/http'
import type { Store } from '@bursar/store'
import { institutions } from './institutions'

/** Follows institutions that are offboarded or deleted. */
export const endedConsumers = (store: Store): Consumer[] => institutionConsumers(store, institutions)
