import { TransactionCreated, TransactionMoved } from '@bursar/contracts/core-ledger'
import { PaymentCreated, PaymentMoved } from '@bursar/contracts/transaction-manager'
import { type Consumer, receiving } from '@bursar/http'
import type { NotificationDeps } from '../deps'
import { moveTo, ofPayment, ofTransaction } from './happenings'
import { recordEvent } from './record-event'

/** Consumes the events of other services: receipt, notification event and its deliveries are one commit. */
export const eventConsumers = ({ store, now }: Pick<NotificationDeps, 'store' | 'now'>): Consumer[] => [
  receiving(store, PaymentCreated, (tx, payment) => recordEvent(tx, 'payment.created', ofPayment(payment), now())),
  receiving(store, PaymentMoved, (tx, payment) => recordEvent(tx, moveTo(payment.status), ofPayment(payment), now())),
  ...[TransactionCreated, TransactionMoved].map((event) =>
    receiving(store, event, (tx, transaction) =>
      recordEvent(tx, 'transaction.status_updated', ofTransaction(transaction), now()),
    ),
  ),
]
