import type { NewSend, SendState } from '@bursar/contracts/blockchain'
import { wasTold } from '@bursar/contracts/order-states'
import { asRequest, type CallError, ifCallFails, isCallError } from '@bursar/http'
import { batched, type Claimed, doubling, type Tx } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { stepBy } from './apply-send'
import { choosePayers } from './choose-payers'
import { askWhetherOrdered } from './disowned'
import { endOf, judgeOrder } from './fates'
import { changeOrders, findOrder, findOrders, isEnded, type OrderChange, type OrderRow, orderQueue } from './orders'
import { openOrdersOnce } from './payers'
import { findHold, forgotten, isHeld, isHeldBy, isReleased, waitsForOperator } from './restore-hold'

/**
 * One attempt at each of these orders: chooses the payers, sends the orders to the blockchain service, or reads their
 * states. May be repeated at any time, also after a crash at any point. A failure of one order does not delay the
 * others.
 */
export async function carryOut(deps: WalletDeps, orders: readonly Claimed<OrderRow>[]): Promise<void> {
  const hold = await findHold(deps.store.read)
  // Orders that the blockchain service has not accepted wait for an operator if they are held; the others are only
  // read.
  const held = await Promise.all(
    orders.map(async (order) => order.handedAt === null && (await isHeldBy(hold, deps.store.read, order))),
  )
  const groups = Map.groupBy(
    // For a lost order, first ask whether it is known.
    orders.filter(
      (order, i) => order.payer === null && order.status === 'accepted' && order.lostAt === null && !held[i],
    ),
    ({ kind, network, accountId, contractAddress }) => `${kind} ${network} ${accountId} ${contractAddress}`,
  )
  const openAt = openOrdersOnce(deps.store.read)
  const choices = [...groups.values()].map((group) => ({ group, payers: choosePayers(deps, group, openAt) }))
  const work = async (order: Claimed<OrderRow>, i: number) => {
    const payers = choices.find(({ group }) => group.includes(order))?.payers
    const find = async () => (payers ? (await payers).get(order.id) : order) ?? (order.handedAt ? order : undefined)
    try {
      await attempt(deps, order, { find, isHeld: held[i] ?? false })
      if (held[i] || isStuck(order)) await askLedger(deps, order)
    } catch (error) {
      // It is retried when its lease ends.
      deps.log.error({ err: error, orderId: order.id }, 'An attempt at an order failed')
    }
  }
  await Promise.all(orders.map(work))
}

const patience = 2

/** Whether nobody is sending it: it is lost, or several attempts made no progress. */
const isStuck = ({ status, attempts, lostAt, disownedAt }: OrderRow): boolean =>
  lostAt !== null || disownedAt !== null || (status === 'accepted' && attempts >= patience)

/**
 * An order that the ledger has dropped must not wait for ever. It waits while the ledger or the chain is unavailable.
 */
async function askLedger(deps: WalletDeps, { id }: OrderRow): Promise<void> {
  await asRequest(id, () => ifCallFails(askWhetherOrdered(deps, id), () => {}))
}

interface Attempt {
  /** The order with its payer; undefined while no address can pay it. */
  find: () => Promise<OrderRow | undefined>
  isHeld: boolean
}

async function attempt(deps: WalletDeps, order: Claimed<OrderRow>, { find, isHeld }: Attempt): Promise<void> {
  const { store, log, sends, clock } = deps
  let state: SendState | null = null
  let problem: CallError | LostOrderError | HeldOrderError | null = null
  try {
    // Orders that the blockchain service has follow its state, even if they are held for an operator.
    if (isHeld) state = await asRequest(order.id, () => sends.find(order.id))
    if (isHeld && !state) throw new HeldOrderError(waitsForOperator)
    const paid = isHeld ? undefined : await find()
    if (paid) state = await asRequest(order.id, () => hand(deps, paid))
    else if (!isHeld && order.attempts === 0) {
      log.warn({ orderId: order.id, network: order.network }, 'No address can pay an order; it waits for funds')
    }
  } catch (error) {
    const isKnown = isCallError(error) || error instanceof LostOrderError || error instanceof HeldOrderError
    if (!isKnown) throw error
    problem = error
    const level = error instanceof LostOrderError ? 'error' : 'warn'
    // Once for each reason: it may wait for days, and is tried each minute.
    if (order.lastError !== error.message) log[level]({ orderId: order.id, reason: error.message }, 'An order waits')
  }
  await endAttempt(store, { claimed: order, state, problem, now: clock() })
}

/** The finding of an attempt: the order's state at the blockchain service, or why it waits. */
interface Found {
  claimed: Claimed<OrderRow>
  state: SendState | null
  problem: Error | null
  now: Date
}

/**
 * Records the finding on an order, whoever leases it by now. It is rescheduled with back-off, unless it has ended or
 * another attempt leases it.
 */
const endAttempt = batched(
  ({ claimed }: Found) => claimed.id,
  async (tx, found) => {
    const orders = await findOrders(
      tx,
      found.map(({ claimed }) => claimed.id),
    )
    const open = found.flatMap((each) => {
      const order = orders.get(each.claimed.id)
      return order && !isEnded(order) ? [{ ...each, order }] : []
    })
    const changes = await Promise.all(open.map(async (each) => changeBy(each, await isReleasedSince(tx, each))))
    const rows = await changeOrders(tx, changes)
    const again = open.flatMap(({ claimed, problem, now }, i) => {
      const row = rows[i]
      if (!row || isEnded(row) || row.leasedUntil?.getTime() !== claimed.leasedUntil.getTime()) return []
      const { attempts } = row
      const atLeastMs = row.handedAt === null ? 0 : asking.pauseMs(attempts)
      return [{ row: claimed, why: { now, error: problem?.message ?? null, attempts, atLeastMs } }]
    })
    await orderQueue.rescheduleAll(tx, again)
    return found
  },
)

type FoundOf = Found & { order: OrderRow }

/** Whether an operator has released it since it was claimed: it waits no more, whatever was found before. */
async function isReleasedSince(tx: Tx, { claimed, order, problem }: FoundOf): Promise<boolean> {
  if (problem instanceof HeldOrderError) return !(await isHeld(tx, order))
  return claimed.lostAt !== null && order.lostAt === null
}

function changeBy(found: FoundOf, isReleased: boolean): OrderChange {
  const { claimed, order, state, now } = found
  const step = state && !wasTold(claimed, order) ? { ...stepBy(order, state, now), updatedAt: now } : null
  const attempts = (step ?? order).attempts + 1
  return { before: order, change: { ...step, ...(isReleased ? {} : waitOf(found)), attempts } }
}

/** Events report the progress of sent orders; polling is only for lost events, and must not add to a backlog. */
const asking = doubling(5000, 60_000)

/** The reason stored for an order that is lost or held. */
function waitOf({ order, problem, now }: FoundOf): Partial<OrderRow> {
  const { disownedAt, waitsFor, lostAt } = order
  if (problem instanceof LostOrderError) {
    return { waitsFor: disownedAt === null ? problem.message : waitsFor, lostAt: lostAt ?? now }
  }
  // One that names the operator's command already says more.
  const saysMore = waitsFor?.includes('wallet:held')
  return problem instanceof HeldOrderError && !saysMore ? { waitsFor: problem.message } : {}
}

class HeldOrderError extends Error {
  override name = 'HeldOrderError'
}

/** The blockchain service does not know a signed order: it may have been paid, and must not be paid again. */
class LostOrderError extends Error {
  override name = 'LostOrderError'
}

async function hand(deps: WalletDeps, order: OrderRow): Promise<SendState> {
  const { sends, store } = deps
  const isNew = order.handedAt === null && order.signedAt === null && order.lostAt === null
  if (isNew) return await sends.start(toSend(order))
  const known = await sends.find(order.id)
  if (known) return known
  // Read again: it may have been signed since it was leased.
  const current = (await findOrder(store.read, order.id)) ?? order
  if (current.signedAt !== null) return await settleLost(deps, current)
  const isForgotten = current.lostAt !== null || order.payer === null
  return isForgotten ? await settleForgotten(deps, current) : await sends.start(toSend(order))
}

/**
 * An order that was accepted before, and that no service knows. Its signatures are those in the run file, which may be
 * incomplete: they can prove that it was paid, never that it was not.
 */
async function settleForgotten(deps: WalletDeps, { id }: OrderRow): Promise<SendState> {
  const end = endOf((await judgeOrder(deps, id)).verdict)
  if (end?.status === 'confirmed') return { id, ...end }
  throw new LostOrderError(forgotten)
}

/** An order that the blockchain service has lost ends by the fates of its signatures, is sent again, or waits. */
async function settleLost(deps: WalletDeps, order: OrderRow): Promise<SendState> {
  const { id } = order
  const { verdict, signatures } = await judgeOrder(deps, id)
  const end = endOf(verdict)
  if (end) return { id, ...end }
  // An order that an operator released is signed again only if its signatures allow it.
  const isUnpaid = signatures > 0 && verdict.is === 'unpaid'
  if (isUnpaid || (await isReleased(deps.store.read, id))) return await deps.sends.start(toSend(order))
  const why = verdict.is === 'open' ? verdict.why : 'its signatures were not kept'
  throw new LostOrderError(
    `The blockchain service has lost this order, which was signed, and ${why}: look it up on the chain (bun run wallet:held)`,
  )
}

const toSend = (order: OrderRow): NewSend => ({
  id: order.id,
  network: order.network,
  from: order.payer ?? '',
  to: order.destination,
  contractAddress: order.contractAddress,
  amount: order.amount.toString(),
  decimals: order.decimals,
  feePayer: order.feePayer,
  transactionData: order.transactionData,
})
