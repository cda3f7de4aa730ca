import { AddressListed, ListActivated } from '@bursar/contracts/sanctions'
import { type Consumer, receiving } from '@bursar/http'
import type { LedgerDeps } from '../deps'
import { noteActivated, noteListed } from './rescreening'

/** Know which list is in use since when, and what it has caught. */
export const rescreeningConsumers = ({ store, now }: Pick<LedgerDeps, 'store' | 'now'>): Consumer[] => [
  receiving(store, ListActivated, (tx, activated) => noteActivated(tx, activated, now())),
  receiving(store, AddressListed, noteListed),
]
