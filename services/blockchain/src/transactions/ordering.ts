import { getOrderedStates, type OrderedState, orderWithdrawal } from '@bursar/contracts/core-ledger'
import { asRequest, type CallError, isCallError } from '@bursar/http'
import { type Claimed, doubling, sideBySide, type Tx, updateBy, type WorkLoop, workOn, workQueue } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { findSend } from '../sends/sends'
import { type TransactionRow, transactions } from './transactions.table'

type Order = Claimed<TransactionRow>

/** The pause before an order's next check is half of the time without a change, within these bounds. */
const [shortestMs, longestMs] = [1000, 60_000]

export const transactionQueue = workQueue(transactions, {
  id: 'id',
  leaseMs: 30_000,
  backoff: doubling(shortestMs, longestMs),
})

/**
 * Creates withdrawals at the ledger for callers' orders, under the order's id, and follows them to their end. The
 * ledger holds the amount, screens it and orders the send: nothing is sent from here.
 */
export function startOrdering(deps: BlockchainDeps): WorkLoop {
  const { store, clock, log, wakes } = deps
  const ledger = createReach(log)
  const loop = workOn(transactionQueue, {
    store,
    now: clock,
    log,
    name: 'Ordering transactions',
    handle: (rows) => look(deps, ledger, rows),
    places: 1,
    lookMs: 1000,
  })
  wakes.on('orders', () => void loop.wake())
  return loop
}

/** Logs once that the ledger cannot be asked about its withdrawals, and once that it can: it is asked each second. */
function createReach(log: BlockchainDeps['log']) {
  let isAway = false
  return {
    failed(err: CallError, orders: number) {
      if (!isAway) log.warn({ err, orders }, 'The ledger cannot be asked for its withdrawals; it is asked again')
      isAway = true
    },
    answered() {
      if (isAway) log.info({}, 'The ledger answers for its withdrawals again')
      isAway = false
    },
  }
}
type Reach = ReturnType<typeof createReach>

async function look(deps: BlockchainDeps, ledger: Reach, rows: readonly Order[]): Promise<void> {
  const { known = [], unknown = [] } = Object.groupBy(rows, ({ ledgerId }) => (ledgerId === null ? 'unknown' : 'known'))
  const works = [() => follow(deps, ledger, known), ...unknown.map((row) => () => order(deps, row))]
  await sideBySide(works, (work) => work())
}

async function order({ client, store, log, clock }: BlockchainDeps, row: Order): Promise<void> {
  const { id, accountId, network, contractAddress, amount, destinationAddress } = row
  const body = { id, accountId, network, contractAddress, amount, destinationAddress, reference: row.transactionId }
  let looked: Looked
  try {
    looked = fromState(await asRequest(id, () => client.call(orderWithdrawal, { body, idempotencyKey: id })))
  } catch (error) {
    if (!isCallError(error)) throw error
    // Only a refusal stored by the ledger is final; any other may change on retry.
    if (row.reason !== error.message)
      log.warn({ transaction: id, reason: error.message }, 'The ledger refused a transaction; it will be retried')
    looked = { reason: error.message }
  }
  await store.commit((tx) => giveBack(tx, row, looked, clock()))
}

const fromState = ({ transactionId, status, reason }: OrderedState): Looked => ({
  status: transactionId === null ? 'failed' : 'ordered',
  ledgerId: transactionId,
  ledgerStatus: status,
  reason,
})

async function follow({ client, store, clock }: BlockchainDeps, ledger: Reach, rows: readonly Order[]): Promise<void> {
  if (rows.length === 0) return
  let states: readonly (OrderedState | null)[] | null = null
  try {
    states = (await client.call(getOrderedStates, { body: { items: rows.map(({ id }) => id) } })).items
    ledger.answered()
  } catch (error) {
    if (!isCallError(error)) throw error
    ledger.failed(error, rows.length)
  }
  await store.commit(async (tx) => {
    for (const [i, row] of rows.entries()) {
      const state = states?.[i]
      const looked = state ? fromState(state) : states === null ? {} : await orderAgain(tx, row)
      await giveBack(tx, row, looked, clock())
    }
  })
}

/**
 * The ledger does not return an order that it had: it was restored, or fails now. Ordered again under the same id
 * it answers with its record. An order that was already sent would be paid twice if the ledger has lost it.
 */
async function orderAgain(tx: Tx, { ledgerId }: TransactionRow): Promise<Looked> {
  const send = ledgerId === null ? null : await findSend(tx, ledgerId)
  if (send?.txHash == null) return { status: 'new', ledgerId: null, ledgerStatus: null }
  return { reason: `The ledger does not know this withdrawal, which was sent as ${send.txHash}` }
}

/** The result of checking an order. */
export type Looked = Partial<Pick<TransactionRow, 'status' | 'ledgerId' | 'ledgerStatus' | 'reason'>>

/** Stores the result of a check, and finishes or reschedules the order. */
export async function giveBack(tx: Tx, row: Order, looked: Looked, now: Date): Promise<void> {
  const next = { ...row, ...looked }
  const isChanged = fields.some((field) => next[field] !== row[field])
  if (isChanged) await updateTransaction(tx).execute({ ...next, updatedAt: now })
  // A change in the future was recorded by a wrong clock.
  const quietMs = isChanged ? 0 : Math.abs(now.getTime() - row.updatedAt.getTime())
  const pauseMs = Math.min(longestMs, Math.max(shortestMs, quietMs / 2))
  await transactionQueue.finish(tx, [row], { dueAt: hasEnded(next) ? null : new Date(now.getTime() + pauseMs) })
}

const fields = ['status', 'ledgerId', 'ledgerStatus', 'reason'] as const
const final = new Set<TransactionRow['ledgerStatus']>(['COMPLETED', 'REJECTED', 'FAILED'])
const hasEnded = ({ status, ledgerStatus }: TransactionRow): boolean => status === 'failed' || final.has(ledgerStatus)

const updateTransaction = updateBy(transactions, 'id', ['status', 'ledgerId', 'ledgerStatus', 'reason', 'updatedAt'])
