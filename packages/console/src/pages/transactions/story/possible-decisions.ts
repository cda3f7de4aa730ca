import type { Decision } from '../decide'

interface Facts {
  type: 'DEPOSIT' | 'WITHDRAWAL' | 'TRANSFER'
  status: string
  /** The deposit that it sends back. */
  returns?: string
  /** The withdrawal that sends it back. */
  returnedBy?: string
  /** Its chain has taken it back, and something is missing. */
  takenBack?: true
  /** A payment of it is in no books. */
  unbookedPayment?: true
}

/** What can be decided in the transaction's present state, in the order of buttons. The ledger decides again. */
export function possibleDecisions({
  type,
  status,
  returns,
  returnedBy,
  takenBack,
  unbookedPayment,
}: Facts): readonly Decision[] {
  if (takenBack || unbookedPayment) return ['cover']
  // A return must not be sent to a party that fails the screening.
  if (status === 'FROZEN') return returns ? ['reject'] : ['reject', 'approve']
  if (status === 'APPROVED') return ['fail', 'retry']
  const isInSuspense = type === 'DEPOSIT' && (status === 'REJECTED' || status === 'FAILED') && !returnedBy
  return isInSuspense ? ['return', 'release'] : []
}
