import { type ConfirmedMovement, MovementConfirmed, movementChanges } from '@bursar/contracts/blockchain'
import { AppError, type Consumer, consumer, followPeer, reconcile } from '@bursar/http'
import { every, type Replica, receive, type Tx, type Worker } from '@bursar/store'
import { requireAccount } from '../accounts/require-account'
import { assetsOfCoin } from '../assets/assets'
import type { LedgerDeps } from '../deps'
import { recordMovement, settleWaiting, waitingCoins, waitingOf } from './book-movement'
import { freeTakes } from './free-takes'

type Deps = Pick<LedgerDeps, 'store' | 'client' | 'log' | 'books' | 'now'>

/** Books movements as the blockchain service confirms them. */
export const movementConsumers = (deps: Deps): Consumer[] => [
  consumer(MovementConfirmed, async (envelope) => {
    // It is pulled once money may move again.
    if (deps.books.areClosed()) return
    await pullAccount(deps, envelope.data)
    await receive(deps.store, envelope, (tx) => recordMovement(tx, envelope.data, deps.now()))
  }),
]

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

/** Movements are added and never taken back: what the blockchain service does not list any more stays. */
const ledger = ({ books, now }: Deps): Replica<ConfirmedMovement> => {
  const record = async (tx: Tx, movement: ConfirmedMovement) => {
    books.requireOpen()
    await recordMovement(tx, movement, now())
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
        await pullAccount(deps, row)
        await store.commit((tx) => settleWaiting(tx, row, now()))
      }
      const last = rows.at(-1)
      if (!last) break
      after = last.id
    }
  }
}

/** Has the account in the replica where that is possible; where not, the movement waits. */
async function pullAccount(deps: Deps, { accountId }: { accountId: string | null }): Promise<void> {
  if (accountId === null) return
  try {
    await requireAccount(deps, accountId)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
