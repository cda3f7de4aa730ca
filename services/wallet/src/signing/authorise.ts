import { type Authorisation, authoriseExecution } from '@bursar/contracts/core-ledger'
import { networkName } from '@bursar/contracts/network-name'
import { AmountError, parseAmount } from '@bursar/money'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { contractKey, contractOf } from '../networks/holdings'
import { disownedBy, settleDisowned } from '../orders/disowned'
import type { OrderRow } from '../orders/orders'
import { mostDigits } from '../orders/withdrawals'
import type { Takes } from './takes'

/**
 * Fails unless the ledger now authorises this order. 409 with the reason if it does not: the order
 * waits. 422 if its terms differ from the order's, and for a forbidden execution. Rejects with
 * CallError while it is unreachable.
 */
export async function requireAuthorised(deps: WalletDeps, order: OrderRow, takes: () => Takes): Promise<void> {
  if (order.kind === 'execution') return await requireExecution(deps, order, takes())
  const answer = await deps.authorise(order.id)
  const disowned = disownedBy(answer)
  if (disowned) throw await disown(deps, order, disowned)
  if (!answer?.terms) throw waits(answer?.reason ?? 'the core ledger does not say that it may be paid')
  const differs = answer.id === order.id ? differenceOf(order, answer.terms) : 'id'
  if (differs === null) return
  deps.log.error({ orderId: order.id, differs }, 'The core ledger authorises terms that differ from the order')
  throw refusedNow(order, `its ${differs} is not what the core ledger has authorised`)
}

/** Handles an order that the ledger has dropped: it ends, or waits until that is safe. */
async function disown(deps: WalletDeps, { id }: OrderRow, disowned: NonNullable<ReturnType<typeof disownedBy>>) {
  const outcome = await settleDisowned(deps, id, disowned)
  if ('waits' in outcome) return fail('CONFLICT', { message: outcome.waits })
  const { status, reason, txHash } = outcome.ended
  return fail('UNPROCESSABLE', { message: `Its order has ended: ${status}, ${reason ?? txHash}` })
}

async function requireExecution({ client }: WalletDeps, order: OrderRow, takes: Takes): Promise<void> {
  const { id, accountId, network } = order
  // Without an idempotency key: it is decided again each time.
  const answer = await client.call(authoriseExecution, { body: { id, accountId, network, ...takes } })
  if (answer.isAuthorised && answer.id === id) return
  throw refusedNow(order, answer.reason ?? 'the core ledger does not allow it')
}

/** The first term that differs. */
function differenceOf(order: OrderRow, terms: NonNullable<Authorisation['terms']>): string | null {
  if (terms.accountId !== order.accountId) return 'account'
  if (networkName(terms.network) !== order.network) return 'network'
  if (terms.assetCode !== order.assetCode) return 'asset'
  if (contractKey(contractOf(terms.contractAddress)) !== contractKey(order.contractAddress)) return 'contract'
  if (terms.decimals !== order.decimals || smallestUnits(terms) !== order.amount) return 'amount'
  return terms.destinationAddress === order.destination ? null : 'destination'
}

function smallestUnits({ amount, decimals }: NonNullable<Authorisation['terms']>): bigint | null {
  try {
    return parseAmount(amount, decimals, mostDigits)
  } catch (error) {
    if (error instanceof AmountError) return null
    throw error
  }
}

/** Not signed now: to be retried. */
export const waits = (why: string) => fail('CONFLICT', { message: `The order waits: ${why}` })

/** The blockchain service ends an order that is refused for good: one that was signed before may still be paid. */
const refusedNow = ({ signedAt }: OrderRow, why: string) =>
  signedAt === null ? fail('UNPROCESSABLE', { message: `The transaction is not signed: ${why}` }) : waits(why)
