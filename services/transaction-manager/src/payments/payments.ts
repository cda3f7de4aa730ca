import { isoTime } from '@bursar/contracts/iso-time'
import type { PaymentParty, PaymentRecord } from '@bursar/contracts/transaction-manager'
import { byKey, changedRecords, type Db, eq, folded, param, rowBy } from '@bursar/store'
import { fail } from '../errors'
import { moneyText } from '../fields/currency'
import type { Payment } from './payments.model'
import { payments } from './payments.table'
import type { PaymentKind } from './states'

export type PaymentRow = typeof payments.$inferSelect

/** The change feed that other services' replicas follow. */
export const paymentRecords = changedRecords('payment', payments)

/**
 * What commits about a payment contend for: its rows, its reference, the credit lines of its participants, and a hash that
 * it is given. Its statements bind these.
 */
export const keysOfPayment = (
  { id, reference, fromParticipantId, toParticipantId }: PaymentRow,
  hash?: string,
): string[] => [
  id,
  folded(reference),
  ...[fromParticipantId, toParticipantId].filter((participantId) => participantId !== null),
  ...(hash === undefined ? [] : [normalHash(hash)]),
]

/** Fails (404) also for a payment of another kind. */
export async function paymentById(db: Db, id: string, ...wanted: PaymentKind[]): Promise<PaymentRow> {
  const row = await byId(db, id)
  if (row && (wanted.length === 0 || wanted.includes(row.kind))) return row
  throw fail('NOT_FOUND', { message: `There is no ${wanted.join(' or ') || 'transaction'} ${id}` })
}

/** References are case-insensitive. Fails (404) when no payment of this kind has it. */
export async function paymentByReference(db: Db, kind: PaymentKind, reference: string): Promise<PaymentRow> {
  const [row] = await byReference(db).execute({ kind, referenceKey: folded(reference) })
  if (!row) throw fail('NOT_FOUND', { message: `There is no ${kind} with the reference ${reference}` })
  return row
}

/** Fails (404) when no payment has the bank's or chain's hash. */
export async function paymentByHash(db: Db, hash: string): Promise<PaymentRow> {
  const row = await findByHash(db, hash)
  if (!row) throw fail('NOT_FOUND', { message: `There is no transaction with the hash ${hash}` })
  return row
}

export const findByHash = (db: Db, hash: string): Promise<PaymentRow | undefined> => byHash(db, normalHash(hash))

/** Hexadecimal hashes are case-insensitive. */
export const normalHash = (hash: string): string => (/^0x[0-9a-f]+$/i.test(hash) ? hash.toLowerCase() : hash)

/** The record as the API returns it (spec 3, Transaction manager transaction). */
export const toPayment = (row: PaymentRow): Payment => ({
  ...toPaymentRecord(row),
  fromParticipant: row.fromParticipantId,
  toParticipant: row.toParticipantId,
  ...(row.type === 'DEPOSIT' && row.bankDetails
    ? { wireInstructions: { ...row.bankDetails, reference: row.reference } }
    : {}),
  ...(row.type === 'WITHDRAWAL' && row.bankDetails ? { destinationAccount: row.bankDetails } : {}),
})

/** The record as other services get it. */
export const toPaymentRecord = (row: PaymentRow): PaymentRecord => ({
  id: row.id,
  type: row.type,
  status: row.status,
  amount: moneyText(row.amount, row.currency),
  currency: row.currency,
  from: fromParty(row),
  to: toParty(row),
  reference: row.reference,
  description: row.description,
  transactionHash: row.transactionHash,
  createdAt: isoTime(row.createdAt),
  updatedAt: isoTime(row.updatedAt),
})

const fromParty = (row: PaymentRow): PaymentParty | null =>
  party(row.fromParticipantId, row.fromParticipantName, row.fromBankId, row.fromCustodianId)
const toParty = (row: PaymentRow): PaymentParty | null =>
  party(row.toParticipantId, row.toParticipantName, row.toBankId, row.toCustodianId)

const party = (
  participantId: string | null,
  participantName: string | null,
  participantBankId: string | null,
  custodianBankId: string | null,
): PaymentParty | null =>
  participantId && participantBankId && custodianBankId
    ? { participantId, participantName: participantName ?? '', participantBankId, custodianBankId }
    : null

const byId = rowBy(payments, 'id')
const byReference = byKey(payments, 'referenceKey', { only: eq(payments.kind, param('kind')) })
const byHash = rowBy(payments, 'transactionHash')
