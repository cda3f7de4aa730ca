import { mostInBatch } from '@bursar/contracts/batch'
import { type ConfirmedMovement, getPaidOrders, sendChanges } from '@bursar/contracts/blockchain'
import { getKnownOrders, type KnownOrder, type WithdrawalState, withdrawalChanges } from '@bursar/contracts/wallet'
import { changedPages, followPeer } from '@bursar/http'
import {
  type Db,
  inArray,
  metaValue,
  putMetaValue,
  queryAmong,
  setReplicaPlace,
  type Tx,
  type Worker,
} from '@bursar/store'
import { askForAccount } from '../accounts/require-account'
import type { LedgerDeps } from '../deps'
import { transactionsById } from '../movements/read-transactions'
import { authorisedExecutions } from '../portfolios/authorised-executions.table'
import { recordMovement } from '../portfolios/book-movement'
import { isPaidOtherwise, withdrawalOf } from '../portfolios/own-withdrawals'
import { contradiction } from './reconcile-orders'

// A restore of this database can lose withdrawals that were paid. The wallet service and the blockchain service list
// their orders; those that are missing here, or differ, are found here, and the payments on the chain are posted. The
// progress is stored in this database, and is therefore restored with it.

type Deps = Pick<LedgerDeps, 'store' | 'client' | 'log' | 'books' | 'now'>

/** A confirmed order that is missing or different in the ledger, until its payment is read from the chain. */
interface Unproved {
  id: string
  txHash: string | null
  /** The time when it was found. */
  since: number
}

/** Searches for payments that this ledger has lost, at the start and every minute. */
export const forgottenWorker = (deps: Deps): Worker =>
  followPeer(deps, 'The search for forgotten payments', (store) => bookForgotten({ ...deps, store }))

const sources = [
  { kind: 'orders of the wallet', changes: withdrawalChanges },
  // Finds orders that the wallet service has lost as well.
  { kind: 'sends', changes: sendChanges },
] as const

/**
 * Checks all orders that changed since the last run. Rejects with CallError while the other services are unavailable.
 */
export async function bookForgotten(deps: Deps): Promise<void> {
  if (deps.books.areClosed()) return
  await proveAll(deps, await readUnproved(deps.store.read))
  for (const source of sources) await look(deps, source)
}

async function proveAll(deps: Deps, unproved: readonly Unproved[]): Promise<void> {
  for (let at = 0; at < unproved.length; at += mostInBatch) await prove(deps, unproved.slice(at, at + mostInBatch))
}

/** While so many are unproved, for example without their network, no more are searched for. */
const mostUnproved = 1000

async function look(deps: Deps, { kind, changes }: (typeof sources)[number]): Promise<void> {
  const { store, now } = deps
  const isFull = async () => (await readUnproved(store.read)).length >= mostUnproved
  if (await isFull()) return
  for await (const { items, place, isMoved, more } of changedPages(deps, kind, changes)) {
    const since = now().getTime()
    const unknown = await unknownAmong(
      store.read,
      items.map(({ record }) => record),
    )
    const found = unknown.map(({ id, txHash }) => ({ id, txHash, since }))
    if (!more && found.length === 0 && !isMoved) return
    await store.commit(async (tx) => {
      await addUnproved(tx, found)
      await setReplicaPlace(tx, { kind, ...place })
    })
    await proveAll(deps, found)
    if (await isFull()) return
  }
}

/** The confirmed orders that are neither completed with the same hash nor under way here. */
async function unknownAmong(db: Db, records: readonly WithdrawalState[]): Promise<WithdrawalState[]> {
  const confirmed = records.filter(({ status }) => status === 'confirmed')
  const here = await transactionsById(db, idsOf(confirmed))
  const strange = confirmed.filter((record) => contradiction(record, here.get(record.id)) !== null)
  const executions = new Set(idsOf(await executionsById(db, idsOf(strange))))
  const unknown: WithdrawalState[] = []
  for (const record of strange) {
    if (!executions.has(record.id) && !(await isPaidOtherwise(db, record))) unknown.push(record)
  }
  return unknown
}

const idsOf = (of: readonly { id: string }[]): string[] => of.map(({ id }) => id)

/** Posts the payment on the chain to the account of the order; retried while it is unknown. */
async function prove(deps: Deps, unproved: readonly Unproved[]): Promise<void> {
  const { store, client, now } = deps
  const orders = (await client.call(getKnownOrders, { body: { items: idsOf(unproved) } })).items
  const items = unproved.map(({ id, txHash }, i) => ({ id, network: orders[i]?.network ?? null, txHash }))
  const paid = (await client.call(getPaidOrders, { body: { items } })).items
  for (const [i, one] of unproved.entries()) {
    const [order, movement] = [orders[i] ?? null, paid[i] ?? null]
    if (movement) await book(deps, movement, order)
    else if (order?.kind === 'execution') await store.commit((tx) => removeUnproved(tx, one.id))
    else if (now().getTime() - one.since > longestMs) {
      deps.log.error({ orderId: one.id, txHash: one.txHash }, 'The payment of a forgotten order could not be proved')
      await store.commit((tx) => removeUnproved(tx, one.id))
    }
  }
}

const longestMs = 7 * 24 * 60 * 60 * 1000

/** Posted as a movement, hence only once. */
async function book(deps: Deps, movement: ConfirmedMovement, order: KnownOrder | null): Promise<void> {
  const { store, books, now } = deps
  const { orderId } = movement
  if (orderId === null) return
  const owner = (await withdrawalOf(store.read, orderId))?.accountId ?? order?.accountId ?? null
  await askForAccount(deps, owner)
  await store.commit(async (tx) => {
    books.requireOpen()
    await recordMovement(tx, movement, owner, now())
    await removeUnproved(tx, orderId)
  })
}

const unprovedName = 'unproved_payments'

async function readUnproved(db: Db): Promise<Unproved[]> {
  const text = await metaValue(db, unprovedName)
  return text === undefined ? [] : (JSON.parse(text) as Unproved[])
}

async function addUnproved(tx: Tx, found: readonly Unproved[]): Promise<void> {
  if (found.length === 0) return
  const known = await readUnproved(tx)
  const added = found.filter(({ id }) => !known.some((one) => one.id === id))
  await putMetaValue(tx, unprovedName, JSON.stringify([...known, ...added]))
}

async function removeUnproved(tx: Tx, id: string): Promise<void> {
  const left = (await readUnproved(tx)).filter((one) => one.id !== id)
  await putMetaValue(tx, unprovedName, JSON.stringify(left))
}

const executionsById = queryAmong(
  (ids) => (db) =>
    db.select({ id: authorisedExecutions.id }).from(authorisedExecutions).where(inArray(authorisedExecutions.id, ids)),
)
