// A ledger that a restore may have taken withdrawals from, and what its customer was paid meanwhile.
import { afterEach, beforeEach } from 'bun:test'
import type { ConfirmedMovement } from '@bursar/contracts/blockchain'
import { bookForgotten } from '../src/reconciliation/forgotten-payments'
import { type MovementBench, openMovementBench } from './movement-bench'
import { type Bench, balanceOf, pay } from './steps'

export let it: MovementBench
/** An account that pays out of any address of the deployment. */
export let customer: Bench

/** Each test of the file gets these anew. */
export function eachWithCustomer(): void {
  beforeEach(async () => {
    it = await openMovementBench()
    const { id: accountId, customerId } = await it.ledger.account()
    customer = { ...it.bench, accountId, customerId }
    await pay(it.ledger, customer, '100')
  })
  afterEach(() => it.close())
}

export const hash = () => `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`
export const balance = () => balanceOf(it.ledger, customer)
export const look = () => bookForgotten(it.ledger.deps)

/** A payment of an order from the hot wallet, as both other services have it; of nobody's known order with null. */
export function paid(
  { id = Bun.randomUUIDv7(), amount = '40000000', txHash = hash() } = {},
  accountId: string | null = customer.accountId,
): ConfirmedMovement {
  const { wallet, chain, moved } = it
  const movement = moved('out', amount, { orderId: id, accountId: null, txHash })
  wallet.records.push({ id, status: 'confirmed', txHash, reason: null })
  if (accountId) {
    wallet.orders.set(id, { id, kind: 'withdrawal', accountId, network: 'ethereum', status: 'confirmed', txHash })
  }
  chain.paid.set(id, movement)
  return movement
}
