import { getOrderedStates, type OrderedState, orderWithdrawal } from '@bursar/contracts/core-ledger'
import { asRequest, CallError } from '@bursar/http'
import { type Again, again, type Tx } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { findSend } from '../sends/sends'
import { claimDue, giveBack, type Looked, mostTaken } from './queue'
import type { TransactionRow } from './transactions.table'

/** Between two looks at what is due. */
const pauseMs = 1000

/**
 * Makes what callers ordered withdrawals of the ledger's, under the order's id, and follows them to their end. The
 * ledger holds the amount, screens it and has it sent: nothing is sent from here.
 */
export function startOrdering(deps: BlockchainDeps): Again {
  const loop = again(pauseMs, () => workDue(deps), { log: deps.log, name: 'The ordering of transactions' })
  deps.wakes.on('orders', () => void loop.wake())
  return loop
}

async function workDue(deps: BlockchainDeps): Promise<void> {
  let taken: number
  do {
    const rows = await deps.store.commit((tx) => claimDue(tx, new Date()))
    const followed = rows.filter(({ ledgerId }) => ledgerId !== null)
    const unknown = rows.filter(({ ledgerId }) => ledgerId === null)
    await Promise.all([follow(deps, followed), ...unknown.map((row) => order(deps, row))])
    taken = rows.length
  } while (taken === mostTaken)
}

async function order({ client, store, log }: BlockchainDeps, row: TransactionRow): Promise<void> {
  const settle = (looked: Looked) => store.commit((tx) => giveBack(tx, row, looked, new Date()))
  const { id, accountId, network, contractAddress, amount, destinationAddress } = row
  // From before orders were the ledger's: the wallet service has had it sent under its own id.
  if (await findSend(store.read, id)) return await settle({ status: 'ordered' })
  const body = { id, accountId, network, contractAddress, amount, destinationAddress, reference: row.transactionId }
  try {
    await settle(fromState(await asRequest(id, () => client.call(orderWithdrawal, { body, idempotencyKey: id }))))
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    // Only what the ledger has kept is definite; any other refusal may be otherwise the next time.
    log.warn({ transaction: id, reason: error.message }, 'The ledger is asked again for a transaction')
    await settle({ reason: error.message })
  }
}

const fromState = ({ transactionId, status, reason }: OrderedState): Looked => ({
  status: transactionId === null ? 'failed' : 'ordered',
  ledgerId: transactionId,
  ledgerStatus: status,
  reason,
})

async function follow({ client, store, log }: BlockchainDeps, rows: readonly TransactionRow[]): Promise<void> {
  if (rows.length === 0) return
  let states: readonly (OrderedState | null)[] | null = null
  try {
    states = (await client.call(getOrderedStates, { body: { items: rows.map(({ id }) => id) } })).items
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    log.warn({ orders: rows.length, reason: error.message }, 'The ledger is asked again for its withdrawals')
  }
  await store.commit(async (tx) => {
    for (const [i, row] of rows.entries()) {
      const state = states?.[i]
      const looked = state ? fromState(state) : states === null ? {} : await orderAgain(tx, row)
      await giveBack(tx, row, looked, new Date())
    }
  })
}

/**
 * The ledger says nothing of an order that it had: it was set back, or cannot tell now. Ordered again under the same id
 * it answers with what it has. What was sent already would be paid twice if the ledger has lost it.
 */
async function orderAgain(tx: Tx, { ledgerId }: TransactionRow): Promise<Looked> {
  const send = ledgerId === null ? null : await findSend(tx, ledgerId)
  if (send?.txHash == null) return { status: 'new', ledgerId: null, ledgerStatus: null }
  return { reason: `The ledger does not know this withdrawal, which was sent as ${send.txHash}` }
}
