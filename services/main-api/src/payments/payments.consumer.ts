import { PaymentCreated, PaymentMoved } from '@bursar/contracts/transaction-manager'
import { type Consumer, receiving } from '@bursar/http'
import type { Store } from '@bursar/store'
import { paymentReplicas } from './payments'

/** Keeps the replicas of payments up to date. */
export const paymentConsumers = (store: Store): Consumer[] =>
  [PaymentCreated, PaymentMoved].map((event) =>
    receiving(store, event, (tx, payment) =>
      paymentReplicas.replica.upsert(tx, paymentReplicas.toRow(payment, payment)),
    ),
  )
