import {
  type ConfirmedMovement,
  MovementConfirmed,
  MovementReversed,
  movementChanges,
} from '@bursar/contracts/blockchain'
import { type Consumer, consumer, followPeer, reconcile } from '@bursar/http'
import { every, type Replica, receive, type Tx, type Worker } from '@bursar/store'
import { askForAccount } from '../accounts/require-account'
import { assetsOfCoin } from '../assets/assets'
import type { LedgerDeps } from '../deps'
import { recordMovement, settleWaiting } from './book-movement'
import { findOwner, ownerHere } from './find-owner'
import { freeTakes } from './free-takes'
import { waitingCoins, waitingOf } from './movements'

type Deps = Pick<LedgerDeps, 'store' | 'client' | 'log' | 'books' | 'now'>

/** Books movements as the blockchain service confirms them, and notes which of them a chain took back. */
export const movementConsumers = (deps: Deps): Consumer[] =>
  [MovementConfirmed, MovementReversed].map((event) =>
    consumer(event, async (envelope) => {
      // It is pulled once money may move again.
      if (deps.books.areClosed()) return
      const owner = await ownerOf(deps, envelope.data)
      await receive(deps.store, envelope, (tx) => recordMovement(tx, envelope.data, owner, deps.now()))
    }),
  )

const everyMs = 60_000
/** A movement whose event was lost is pulled from the blockchain service; one that waits is tried again. */
export const movementWorkers = (deps: Deps): Worker[] => [
  followPeer(deps, 'The reconciliation of movements', () => pullMovements(deps)),
  every(everyMs, () => retryWaiting(deps), { log: deps.log, name: 'The retry of movements that wait', firstMs: 0 }),
]

/** One pull to the end; then what executions took less than they might have is free again. */
export async function pullMovements(deps: Deps): Promise<void> {
  if (deps.books.areClosed()) return
  await reconcile(deps, { changes: movementChanges, replica: ledger(deps), toRow: (movement) => movement })
  await freeTakes(deps)
}

/** Movements are added, and never deleted: what the blockchain service does not list any more stays. */
const ledger = ({ books, now }: Deps): Replica<ConfirmedMovement> => {
  const record = async (tx: Tx, movement: ConfirmedMovement) => {
    books.requireOpen()
    // Others cannot be asked within a commit: one that is nobody's here is settled by the next retry.
    const owner = movement.kind === 'out' ? await ownerHere(tx, movement) : movement.accountId
    await recordMovement(tx, movement, owner, now())
  }
  return { kind: 'movement', upsert: record, restate: record, deleteUnstated: async () => {} }
}

/** Tries all that waits once more: by now its asset or account may be known, or enough may be available. */
export async function retryWaiting(deps: Deps): Promise<void> {
  const { store, books, now } = deps
  if (books.areClosed()) return
  for (const coin of await waitingCoins(store.read)) {
    // Coins that are sent to us unasked may be many, and wait for good.
    if ((await assetsOfCoin(store.read, coin.network, coin.contractAddress)).length === 0) continue
    for (let after = ''; ; ) {
      const rows = await waitingOf(store.read, coin, after)
      for (const row of rows) {
        const accountId = row.accountId ?? (await ownerOf(deps, row))
        await askForAccount(deps, accountId)
        await store.commit((tx) => settleWaiting(tx, { ...row, accountId }, now()))
      }
      const last = rows.at(-1)
      if (!last) break
      after = last.id
    }
  }
}

/** Whose it is; its account is in the replica where that is possible. */
async function ownerOf(deps: Deps, movement: Pick<ConfirmedMovement, 'kind' | 'accountId' | 'orderId'>) {
  await askForAccount(deps, movement.accountId)
  const accountId = await findOwner({ db: deps.store.read, client: deps.client }, movement)
  if (accountId !== movement.accountId) await askForAccount(deps, accountId)
  return accountId
}
