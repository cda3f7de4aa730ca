import { getSend, type NewSend, type SendState, startSend } from '@bursar/contracts/blockchain'
import { CallError } from '@bursar/http'
import type { WalletDeps } from '../deps'
import { isHeld, waitsForOperator } from '../restore/restore-hold'
import { applySend } from './apply-send'
import { putOff } from './claims'
import { changeOrder, findOrder, isEnded, type OrderRow } from './orders'
import { candidates, canPay, payerAt } from './payers'

/**
 * One attempt at an order that is leased: chooses the payer, hands the order to the blockchain service, or asks how it
 * stands. May be repeated at any time, also after a crash at any point. Never rejects for what other services answer.
 */
export async function carryOut(deps: WalletDeps, order: OrderRow, now = () => new Date()): Promise<void> {
  const { store, log } = deps
  let state: SendState | null = null
  try {
    await requireReleased(deps, order)
    const chosen = order.payer === null ? await choosePayer(deps, order, now()) : order
    if (chosen) state = await hand(deps, chosen)
    else if (order.attempts === 0) {
      log.warn({ orderId: order.id, network: order.network }, 'No address can pay an order; it waits for funds')
    }
  } catch (error) {
    if (!(error instanceof CallError) && !(error instanceof LostOrderError) && !(error instanceof HeldOrderError))
      throw error
    const level = error instanceof LostOrderError ? 'error' : 'warn'
    log[level]({ orderId: order.id, reason: error.message }, 'An order waits')
  }
  await store.commit(async (tx) => {
    if (state) await applySend(tx, state, now())
    await putOff(tx, order.id, now())
  })
}

/** What the blockchain service has not taken waits while an operator has to look at it; the rest is only asked about. */
async function requireReleased({ store }: WalletDeps, order: OrderRow): Promise<void> {
  if (order.handedAt === null && (await isHeld(store.read, order))) throw new HeldOrderError(waitsForOperator)
}

class HeldOrderError extends Error {
  override name = 'HeldOrderError'
}

/** Chooses who pays, for good; undefined while no address can. What it holds is held against all open orders in one commit. */
async function choosePayer(deps: WalletDeps, order: OrderRow, now: Date): Promise<OrderRow | undefined> {
  const network = await deps.networks.byName(order.network)
  // A name that the blockchain service does not list is simulated, or refused when it is handed over.
  const { kind, chainId } = network ?? { kind: 'simulated' as const, chainId: null }
  for await (const address of candidates(deps, order)) {
    const payer = await payerAt(deps, order, kind, address)
    const chosen = await deps.store.commit(async (tx) => {
      const current = await findOrder(tx, order.id)
      if (!current || isEnded(current)) return undefined
      if (current.payer !== null) return current
      if (!(await canPay(tx, current, payer, kind))) return undefined
      const { feePayer } = payer
      return await changeOrder(tx, current, { payer: address, feePayer, chain: { kind, chainId }, updatedAt: now })
    })
    if (chosen) return chosen
  }
  return undefined
}

/** The blockchain service does not know an order that was signed: it may have been paid, and must not be paid again. */
class LostOrderError extends Error {
  override name = 'LostOrderError'
}

async function hand({ client, store }: WalletDeps, order: OrderRow): Promise<SendState> {
  if (order.handedAt === null && order.signedAt === null) return await start()
  const known = await client.find(getSend, { params: { id: order.id } })
  if (known) return known
  // As it is now: it may have been signed since it was leased.
  const current = await findOrder(store.read, order.id)
  if (current?.signedAt === null) return await start()
  throw new LostOrderError(
    'The blockchain service does not know this order any more, but it was signed and may have been paid: look it up on the chain',
  )

  function start() {
    return client.call(startSend, { body: toSend(order), idempotencyKey: order.id })
  }
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
