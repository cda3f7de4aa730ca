import { AddressListed, getListInUse, ListActivated } from '@bursar/contracts/sanctions'
import { type Consumer, followPeer, receiving } from '@bursar/http'
import type { Worker } from '@bursar/store'
import type { LedgerDeps } from '../deps'
import { noteActivated, noteInUse, noteListed } from './rescreening'

type Deps = Pick<LedgerDeps, 'store' | 'client' | 'log' | 'now'>

/** Record which list is in use since when, and which addresses it has. */
export const rescreeningConsumers = ({ store, now }: Pick<Deps, 'store' | 'now'>): Consumer[] => [
  receiving(store, ListActivated, (tx, activated) => noteActivated(tx, activated, now())),
  receiving(store, AddressListed, noteListed),
]

/** Asks every minute which list is in use: a restore or a lost event may have hidden a new list. */
export const rescreeningWorker = (deps: Deps): Worker =>
  followPeer(deps, 'The look at the sanctions list in use', (store) => lookAtList({ ...deps, store }))

/** Asks the sanctions service which list is in use. Rejects with CallError while it is unavailable. */
export async function lookAtList({ store, client, now }: Deps): Promise<void> {
  const list = await client.call(getListInUse)
  await store.commit((tx) => noteInUse(tx, list, now()))
}
