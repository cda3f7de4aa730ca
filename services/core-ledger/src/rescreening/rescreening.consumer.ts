import { AddressListed, ListActivated } from '@bursar/contracts/sanctions'
import { type Consumer, type Deps, receiving } from '@bursar/http'
import { noteActivated, noteListed } from './rescreening'

/** Know which list is in use since when, and what it has caught. */
export const rescreeningConsumers = ({ store }: Pick<Deps, 'store'>): Consumer[] => [
  receiving(store, ListActivated, noteActivated),
  receiving(store, AddressListed, noteListed),
]
