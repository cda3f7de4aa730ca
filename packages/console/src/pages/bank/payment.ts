import type { components } from '#types/transaction-manager'
import { payments } from '../../api/services'
import type { FilterValues } from '../../format/filters'
import type { ActInput } from '../../ui/act'

export type Payment = components['schemas']['Payment']
export type PaymentDetail = components['schemas']['PaymentDetail']
export type PaymentStatus = Payment['status']
export type PaymentType = Payment['type']

export interface Move {
  to: PaymentStatus
  comment: string
  transactionHash?: string | undefined
  headers: ActInput['headers']
}

/** What a list of payments is asked for by its filters. */
export function queryOf(values: Partial<FilterValues<'search' | 'type' | 'status' | 'participantId'>>) {
  const { search, type, status, participantId } = values
  return {
    search: search || undefined,
    participantId: participantId || undefined,
    type: type ? [type as PaymentType] : undefined,
    status: status ? [status as PaymentStatus] : undefined,
  }
}

/** Moves a payment, by the route of its type. */
export async function movePayment({ id, type, reference, destinationAccount }: Payment, move: Move): Promise<void> {
  const { to, comment, transactionHash, headers } = move
  const words = comment ? { comment } : {}
  const body = { status: to, ...words, ...(transactionHash ? { transactionHash } : {}) }
  const byId = { params: { path: { transactionId: id } }, headers, body }
  const byReference = { params: { path: { reference } }, headers, body }
  if (type === 'DO_DEPOSIT') await payments.PUT('/do-deposit/{reference}', byReference)
  else if (type === 'DEPOSIT' || type === 'INTERNAL_DEPOSIT') await payments.PUT('/deposit/{reference}', byReference)
  else if (type === 'WITHDRAWAL') {
    // Only the destination that the page shows is decided on: another may have taken its place meanwhile.
    const shown = destinationAccount ? { destinationAccount } : {}
    await payments.PUT('/withdrawal/{transactionId}', { ...byId, body: { ...body, ...shown } })
  } else if (to === 'CANCELLED') {
    await payments.POST('/transfer/cancel', { headers, body: { transactionId: id, ...words } })
  } else if (to === 'IN_REVIEW' || to === 'APPROVED' || to === 'REJECTED') {
    await payments.PUT('/transfer/{transactionId}/review', { ...byId, body: { status: to, ...words } })
  } else await payments.PUT('/transfer/{transactionId}', byId)
}
