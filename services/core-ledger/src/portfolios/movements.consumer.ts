import {
  type ConfirmedMovement,
  MovementConfirmed,
  MovementReversed,
  movementChanges,
} from '@bursar/contracts/blockchain'
import { ExecutionChanged } from '@bursar/contracts/wallet'
import { type Consumer, consumer, followPeer, receiving, reconcile } from '@bursar/http'
import { type ChunkPlace, every, inChunks, type Replica, receive, type Tx, type Worker } from '@bursar/store'
import { askForAccount } from '../accounts/require-account'
import { assetsOfCoin } from '../assets/assets'
import type { LedgerDeps } from '../deps'
import { recordMovement, settleWaiting } from './book-movement'
import { noteState } from './end-execution'
import { findOwner, ownerHere } from './find-owner'
import { freeTakes } from './free-takes'
import { waitingCoins, waitingOf } from './movements'

type Deps = Pick<LedgerDeps, 'store' | 'client' | 'log' | 'books' | 'now'>

/**
 * Posts movements that the blockchain service confirms, records those that a chain reversed, and follows authorised
 * executions to their end.
 */
export const movementConsumers = (deps: Deps): Consumer[] => [
  ...[MovementConfirmed, MovementReversed].map((event) =>
    consumer(event, async (envelope) => {
      // Reconciliation fetches it once money may move again.
      if (deps.books.areClosed()) return
      const owner = await ownerOf(deps, envelope.data)
      await receive(deps.store, envelope, (tx) => recordMovement(tx, envelope.data, owner, deps.now()))
    }),
  ),
  receiving(deps.store, ExecutionChanged, (tx, state) => noteState(tx, state, deps.now())),
]

const everyMs = 60_000
const waitingChunk = 250
/** Fetch movements whose event was lost from the blockchain service, and retry those that wait. */
export const movementWorkers = (deps: Deps): Worker[] => [
  followPeer(deps, 'The reconciliation of movements', (store) => pullMovements({ ...deps, store })),
  every(everyMs, (store) => retryWaiting({ ...deps, store }), {
    log: deps.log,
    name: 'The retry of movements that wait',
    firstMs: 0,
    alone: deps.store,
  }),
]

/** Fetches all new movements, then releases amounts that executions did not take. */
export async function pullMovements(deps: Deps): Promise<void> {
  if (deps.books.areClosed()) return
  await reconcile(deps, { changes: movementChanges, replica: ledger(deps), toRow: (movement) => movement })
  await freeTakes(deps)
}

/** Movements are added and never deleted: those that the blockchain service no longer lists stay. */
const ledger = ({ books, now }: Deps): Replica<ConfirmedMovement> => {
  const record = async (tx: Tx, movement: ConfirmedMovement) => {
    books.requireOpen()
    // No calls within a commit: the next retry finds the owner of a movement that has none here.
    const owner = movement.kind === 'out' ? await ownerHere(tx, movement) : movement.accountId
    await recordMovement(tx, movement, owner, now())
  }
  return { kind: 'movement', upsert: record, restate: record, deleteUnstated: async () => {} }
}

/** Retries all waiting movements: by now the asset or account may be known, or enough may be available. */
export async function retryWaiting(deps: Deps): Promise<void> {
  const { store, books, now } = deps
  if (books.areClosed()) return
  for (const coin of await waitingCoins(store.read)) {
    // Unsolicited tokens may be many, and wait for ever.
    if ((await assetsOfCoin(store.read, coin.network, coin.contractAddress)).length === 0) continue
    const chunk = (place: ChunkPlace<string>) => waitingOf(store.read, coin, place)
    for await (const rows of inChunks(chunk, { size: waitingChunk, start: '', keyOf: ({ id }) => id })) {
      for (const row of rows) {
        const accountId = row.accountId ?? (await ownerOf(deps, row))
        await askForAccount(deps, accountId)
        await store.commit((tx) => settleWaiting(tx, { ...row, accountId }, now()))
      }
    }
  }
}

/** The owner of a movement; its account is fetched into the replica if possible. */
async function ownerOf(deps: Deps, movement: Pick<ConfirmedMovement, 'kind' | 'accountId' | 'orderId'>) {
  await askForAccount(deps, movement.accountId)
  const accountId = await findOwner({ db: deps.store.read, client: deps.client }, movement)
  if (accountId !== movement.accountId) await askForAccount(deps, accountId)
  return accountId
}
