import { TransactionCreated, TransactionMoved, type TransactionState } from '@bursar/contracts/core-ledger'
import type { Envelope } from '@bursar/contracts/event'
import { PaymentCreated, PaymentMoved, type PaymentState } from '@bursar/contracts/transaction-manager'
import type { Consumer } from '@bursar/http'
import { receiveAll } from '@bursar/store'
import type { NotificationDeps } from '../deps'
import { moveTo, ofPayment, ofTransaction } from './happenings'
import type { Happening } from './record-events'

const ofMovedTransaction = (transaction: TransactionState): Happening => ({
  type: 'transaction.status_updated',
  data: ofTransaction(transaction),
})

/** By the event of another service. */
const happenings = new Map<string, (data: never) => Happening>([
  [PaymentCreated.name, (payment: PaymentState) => ({ type: 'payment.created', data: ofPayment(payment) })],
  [PaymentMoved.name, (payment: PaymentState) => ({ type: moveTo(payment.status), data: ofPayment(payment) })],
  [TransactionCreated.name, ofMovedTransaction],
  [TransactionMoved.name, ofMovedTransaction],
])

/** Consumes the events of other services: receipts, notification events and their deliveries are one commit. */
export function eventConsumers({ store, recording }: Pick<NotificationDeps, 'store' | 'recording'>): Consumer[] {
  const take = receiveAll(
    store,
    ({ id }) => id,
    async (tx, envelopes) => {
      await recording.add(tx, envelopes.map(happeningOf))
      return envelopes
    },
  )
  return [...happenings.keys()].map((name) => ({
    name,
    async handle(envelope) {
      await take(envelope)
      await recording.wake(store)
    },
  }))
}

function happeningOf({ name, data }: Envelope): Happening {
  const happening = happenings.get(name)
  if (!happening) throw new Error(`${name} is no event of a payment or transaction`)
  return happening(data as never)
}
