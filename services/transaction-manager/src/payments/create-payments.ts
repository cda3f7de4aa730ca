import { randomBytes } from 'node:crypto'
import { PaymentCreated } from '@bursar/contracts/transaction-manager'
import { AppError, orRefusal } from '@bursar/http'
import {
  and,
  type ChangeMark,
  emitAll,
  eq,
  folded,
  inArray,
  insertAll,
  newId,
  param,
  queryAmong,
  type Tx,
  together,
} from '@bursar/store'
import { type Bank, type BankName, findBanks, requireBank } from '../banks/find-bank'
import { type Lines, openLines } from '../credit-lines/credit-lines'
import { fail } from '../errors'
import type { BankDetails } from '../fields/bank-codes'
import { amountKey, amountOf, currencyOf } from '../fields/currency'
import { noteMoves } from './fold-counts'
import { writeHistory } from './history'
import { type PaymentRow, paymentRecords, toPaymentRecord } from './payments'
import { payments } from './payments.table'
import { kindOf, type PaymentKind, type PaymentType } from './states'

/** The input of a new payment. `from` and `to` are the participants' accounts; null is external. */
export interface PaymentDraft {
  type: PaymentType
  amount: string
  currency: string
  from: BankName | null
  to: BankName | null
  /** Generated when absent. */
  id?: string
  /** Generated when absent, or null. */
  reference?: string | null | undefined
  description?: string | null | undefined
  bankDetails?: BankDetails | null
}

/** A payment that is asked for, by whom, and by which request; the commit's unless given. */
export interface AskedPayment {
  draft: PaymentDraft
  by: string | null
  requestId?: string | null | undefined
}

/**
 * Creates payments (PENDING), one after another, with their history and events; a payout reserves its amount in the sender's
 * credit line, and leaves less for those after it. Gives the row of each, or why there is none: 400 (amount), 404 (bank), 409
 * (participant not approved, reference taken, credit line) or 422 (currency of the account, one account on both sides).
 */
export async function createPayments(
  tx: Tx,
  all: readonly AskedPayment[],
  now: Date,
): Promise<(PaymentRow | AppError)[]> {
  const asked = all.map(({ draft, ...rest }) => ({ draft: named(draft, now), ...rest }))
  const drafts = asked.map(({ draft }) => draft)
  const parties = drafts.flatMap(({ from, to }) => [from, to]).filter((name) => name !== null)
  const banks = await findBanks(tx, parties)
  const senders = drafts.flatMap(({ from }) => (from ? (banks(from)?.pfi.id ?? []) : []))
  const [taken, lines] = await together(takenReferences(tx, drafts), openLines(tx, senders))
  const outcomes = drafts.map((draft) => orRefusal(() => rowOf(draft, { banks, taken, lines }, now)))
  const made = outcomes.flatMap((row, i) => {
    const { by, requestId } = asked[i] as AskedPayment
    return row instanceof AppError ? [] : [{ row, by, requestId }]
  })
  const rows = made.map(({ row }) => row)
  await insertPayments(tx, rows)
  await lines.write(tx, now)
  const steps = made.map(({ row, by }) => ({ row, fromStatus: null, by, comment: null, now }))
  await writeHistory(tx, steps)
  await noteMoves(tx, rows, null)
  await emitCreated(tx, made, now)
  return outcomes
}

/** What payments that are made together share: of each that is made, those after it know. */
interface Common {
  banks: (name: BankName) => Bank | undefined
  taken: Set<string>
  lines: Lines
}

/** The row of a new payment. Throws a refusal, and has changed nothing then. */
function rowOf(draft: NamedDraft, { banks, taken, lines }: Common, now: Date): PaymentRow {
  const { type, id, reference } = draft
  const currency = currencyOf(draft.currency)
  const amount = amountOf(draft.amount, currency)
  const from = draft.from && requireBank(banks(draft.from), draft.from)
  const to = draft.to && requireBank(banks(draft.to), draft.to)
  if (from && to && from.account.id === to.account.id) {
    throw fail('UNPROCESSABLE', { message: 'Both sides of the transfer are the same account' })
  }
  const kind = kindOf[type]
  const place = placeOf(kind, reference)
  if (taken.has(place)) {
    throw fail('CONFLICT', { message: `A ${kind} with the reference ${reference} already exists` })
  }
  const usesCredit =
    from !== null && lines.reserve({ paymentId: id, participantId: from.pfi.id, currency, amount }, now)
  taken.add(place)
  return {
    id,
    type,
    status: 'PENDING',
    amount,
    amountKey: amountKey(amount, currency),
    currency,
    fromParticipantId: from?.pfi.id ?? null,
    fromParticipantName: from?.pfi.name ?? null,
    fromBankId: from?.account.id ?? null,
    fromCustodianId: from?.account.custodianBankId ?? null,
    toParticipantId: to?.pfi.id ?? null,
    toParticipantName: to?.pfi.name ?? null,
    toBankId: to?.account.id ?? null,
    toCustodianId: to?.account.custodianBankId ?? null,
    kind,
    reference,
    referenceKey: folded(reference),
    description: draft.description ?? null,
    bankDetails: draft.bankDetails ?? (type === 'DEPOSIT' && to ? wireTo(to) : null),
    transactionHash: null,
    usesCredit,
    createdAt: now,
    updatedAt: now,
  }
}

async function emitCreated(
  tx: Tx,
  made: readonly { row: PaymentRow; requestId?: string | null | undefined }[],
  at: Date,
): Promise<void> {
  const ids = made.map(({ row }) => row.id)
  const marks = await paymentRecords.markAll(tx, ids)
  const events = made.map(({ row, requestId }, i) => ({
    data: { v: 1 as const, ...toPaymentRecord(row), previous: null, comment: null, ...(marks[i] as ChangeMark) },
    at,
    requestId,
  }))
  await emitAll(tx, PaymentCreated, events)
}

interface NamedDraft extends PaymentDraft {
  id: string
  reference: string
}

/** A draft with its names, which are generated when absent. */
const named = (draft: PaymentDraft, now: Date): NamedDraft => ({
  ...draft,
  id: draft.id ?? newId(now),
  reference: draft.reference ?? newReference(),
})

/** References are case-insensitive, and of each kind. */
const placeOf = (kind: PaymentKind, reference: string): string => `${kind} ${folded(reference)}`

/** Which of their references payments have already. */
async function takenReferences(tx: Tx, drafts: readonly NamedDraft[]): Promise<Set<string>> {
  const taken = new Set<string>()
  for (const [kind, some] of Map.groupBy(drafts, ({ type }) => kindOf[type])) {
    const keys = some.map(({ reference }) => folded(reference))
    for (const { reference } of await withReferences(tx, [...new Set(keys)], { kind }))
      taken.add(placeOf(kind, reference))
  }
  return taken
}

const withReferences = queryAmong(
  (keys) => (db) =>
    db
      .select({ reference: payments.reference })
      .from(payments)
      .where(and(eq(payments.kind, param('kind')), inArray(payments.referenceKey, keys))),
)

const wireTo = ({ account }: Bank): BankDetails => ({
  accountNumber: account.accountNumber,
  routingNumber: account.routingNumber,
  bankName: account.custodianBankName,
})

const insertPayments = insertAll(payments)

/** Without easily confused letters (Crockford's base 32). */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A generated reference: 12 letters and digits, 60 random bits. */
const newReference = (): string => Array.from(randomBytes(12), (byte) => letters[byte % 32]).join('')
