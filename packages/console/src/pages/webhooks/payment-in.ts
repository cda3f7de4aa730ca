/** What the body of an event says of a payment. */
export interface ToldPayment {
  transactionId: string
  type: string
  amount: string
  currency: string
}

const fields = ['transactionId', 'type', 'amount', 'currency'] as const

/** The payment that an event's body tells of; null for an event of another kind. */
export function paymentIn(body: unknown): ToldPayment | null {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null
  if (typeof data !== 'object' || data === null) return null
  const told = data as Partial<Record<string, unknown>>
  return fields.every((field) => typeof told[field] === 'string') ? (told as unknown as ToldPayment) : null
}
