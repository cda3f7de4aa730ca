import { type PaymentRecord, paymentChanges } from '@bursar/contracts/transaction-manager'
import type { Reconciliation } from '@bursar/http'
import {
  alsoStoring,
  type ChangeMark,
  type Db,
  deleteBy,
  folded,
  insertInto,
  notInArray,
  prepared,
  replica,
  rowBy,
  rowsOf,
  type Tx,
} from '@bursar/store'
import { orderOf } from './amounts'
import { bankPayments, type Direction, payments } from './payments.table'

export type PaymentRow = typeof payments.$inferSelect

const paymentById = rowBy(payments, 'id')
const rows = replica('payment', payments)

/** The rows by bank are written with the replicas, by event or by pull. */
const byBankToo = alsoStoring(
  rows,
  (tx, { id }) => listAtBanks(tx, id),
  (tx) => deleteUnlisted(tx).execute({}),
)

/** Stores the replicas of payments. */
export const paymentReplicas = {
  changes: paymentChanges,
  replica: byBankToo,
  toRow: (payment: PaymentRecord, { epoch, version }: ChangeMark): PaymentRow => ({
    ...payment,
    fromParticipantId: payment.from?.participantId ?? null,
    toParticipantId: payment.to?.participantId ?? null,
    searchText: searchTextOf(payment),
    createdAt: new Date(payment.createdAt),
    updatedAt: new Date(payment.updatedAt),
    epoch,
    version,
  }),
} satisfies Reconciliation<typeof paymentChanges.answer, PaymentRow>

/** Each field on its own line: a search text has no line break, so it cannot match across fields. */
const searchTextOf = ({ id, reference, description, transactionHash, from, to }: PaymentRecord): string =>
  folded(
    [id, reference, description, transactionHash, from?.participantName, to?.participantName]
      .filter((text) => text != null)
      .join('\n'),
  )

/** Writes the rows by bank from the present replica, which may be newer than the received change. */
async function listAtBanks(tx: Tx, id: string): Promise<void> {
  const payment = await paymentById(tx, id)
  if (!payment) return
  await deleteByPayment(tx).execute({ paymentId: id })
  for (const [custodianBankId, direction] of banksOf(payment)) {
    const place = { custodianBankId, paymentId: id, direction, amountOrder: orderOf(payment.amount) }
    await insertBankPayment(tx).execute({ ...payment, ...place })
  }
}

function banksOf({ from, to }: PaymentRow): [custodianBankId: string, direction: Direction][] {
  if (from && to && from.custodianBankId === to.custodianBankId) return [[from.custodianBankId, 'within']]
  return [
    ...(from ? [[from.custodianBankId, 'out'] as [string, Direction]] : []),
    ...(to ? [[to.custodianBankId, 'in'] as [string, Direction]] : []),
  ]
}

/** A payment that involves the bank; undefined when there is none. */
export async function findBankPayment(db: Db, custodianBankId: string, id: string): Promise<PaymentRow | undefined> {
  const payment = await paymentById(db, id)
  const isItsOwn = payment && banksOf(payment).some(([bankId]) => bankId === custodianBankId)
  return isItsOwn ? payment : undefined
}

/** The payments with these ids (at most 100), in the order of the ids. */
export async function paymentsWithIds(db: Db, ids: readonly string[]): Promise<PaymentRow[]> {
  const rows = await paymentsAmong(db, ids)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

const paymentsAmong = rowsOf(payments, 'id')
const deleteByPayment = deleteBy(bankPayments, 'paymentId')
const insertBankPayment = insertInto(bankPayments)
const deleteUnlisted = prepared((db) =>
  db.delete(bankPayments).where(notInArray(bankPayments.paymentId, db.select({ id: payments.id }).from(payments))),
)
