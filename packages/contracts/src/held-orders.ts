import { readCall, writeCall } from './call'
import { nullable, oneOf, type Static, t, text, timestamp, uuid } from './schema'
import { WithdrawalState } from './wallet'

/** An order that waits for an operator: it may have been paid, though the databases do not say so. */
export const HeldOrder = t.Object({
  id: uuid(),
  network: t.String(),
  assetCode: t.String(),
  /** Decimal string in the asset's own unit. */
  amount: t.String(),
  destinationAddress: t.String(),
  /** The paying address; null while none was chosen. */
  payer: nullable(t.String()),
  /**
   * `restored`: from before a restore, or accepted before and forgotten since. `lost`: signed, and unknown to the
   * blockchain service. `disowned`: signed, and the ledger has ended or forgotten it.
   */
  why: oneOf(['restored', 'lost', 'disowned']),
  /** The reason as a sentence; null before the first attempt. */
  waitsFor: nullable(t.String()),
  /** The hashes under which it was signed: where to look on the chain. */
  signed: t.Array(t.String()),
  createdAt: timestamp(),
})
export type HeldOrder = Static<typeof HeldOrder>
/** For operators only (bun run wallet:held): the oldest 500 orders that wait, and since when. */
export const heldOrders = readCall(
  'wallet',
  'GET',
  '/internal/held-orders',
  t.Object({ before: nullable(timestamp()), items: t.Array(HeldOrder) }),
)
const HeldOutcome = t.Object({ id: uuid(), status: WithdrawalState.properties.status })
/** States that the order was not paid: it is carried out. 404 for one that does not wait. */
export const releaseHeldOrder = writeCall(
  'wallet',
  'POST',
  '/internal/held-orders/:id/release',
  t.Object({}),
  HeldOutcome,
)
export const HeldPayment = t.Object({ txHash: text(128) })
/** States that the order was paid by this transaction, which the chain must know with its destination. 404, 422. */
export const settleHeldOrder = writeCall('wallet', 'POST', '/internal/held-orders/:id/paid', HeldPayment, HeldOutcome)
/**
 * States that a disowned order will never be paid: it fails. 404 for one that does not wait, 409 for one that the
 * ledger still orders, 422 for one that the chain says is paid.
 */
export const failHeldOrder = writeCall('wallet', 'POST', '/internal/held-orders/:id/fail', t.Object({}), HeldOutcome)
/** Ends the hold after a restore: every waiting order is carried out, and those that the ledger orders again. */
export const endHold = writeCall(
  'wallet',
  'POST',
  '/internal/held-orders/end',
  t.Object({}),
  t.Object({ ended: t.Boolean() }),
)
