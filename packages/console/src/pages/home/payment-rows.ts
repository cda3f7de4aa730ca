import type { components } from '#types/notification'

export type PaymentEvent = components['schemas']['Event']

/** A payment or transaction of an institution, as its newest event has left it. */
export interface PaymentRow extends Pick<PaymentEvent['data'], 'type' | 'status' | 'amount' | 'currency'> {
  id: string
  /** As the institution sees it; `within`: between two accounts of its own. */
  direction: 'in' | 'out' | 'within'
  /** Of the newest event. */
  at: string
}

const final = ['COMPLETED', 'REJECTED', 'CANCELLED', 'FAILED']
export const isUnderWay = ({ status }: PaymentRow): boolean => !final.includes(status)

/** The payments that these events tell of, the last changed first. The events come oldest first. */
export function paymentRows(events: readonly PaymentEvent[], participantId: string): PaymentRow[] {
  const rows = new Map<string, PaymentRow>()
  for (const { timestamp, data } of events) {
    const { transactionId: id, type, status, amount, currency, fromParticipant, toParticipant } = data
    const direction = fromParticipant !== participantId ? 'in' : toParticipant === participantId ? 'within' : 'out'
    rows.delete(id)
    rows.set(id, { id, type, status, amount, currency, direction, at: timestamp })
  }
  return [...rows.values()].reverse()
}
