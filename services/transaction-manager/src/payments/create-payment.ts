import { randomBytes } from 'node:crypto'
import { PaymentCreated } from '@bursar/contracts/transaction-manager'
import { emit, folded, insertInto, newId, type Tx } from '@bursar/store'
import { type Bank, type BankName, requireBank } from '../banks/find-bank'
import { reserve } from '../credit-lines/credit-lines'
import { fail } from '../errors'
import type { BankDetails } from '../fields/bank-codes'
import { amountKey, amountOf, currencyOf } from '../fields/currency'
import { noteMove } from './fold-counts'
import { writeHistory } from './history'
import { findByReference, type PaymentRow, paymentRecords, toPaymentRecord } from './payments'
import { payments } from './payments.table'
import { kindOf, type PaymentType } from './states'

/** The input of a new payment. `from` and `to` are the participants' accounts; null is external. */
export interface PaymentDraft {
  type: PaymentType
  amount: string
  currency: string
  from: BankName | null
  to: BankName | null
  /** Generated when absent. */
  id?: string
  /** Generated when absent. */
  reference?: string | undefined
  description?: string | null | undefined
  bankDetails?: BankDetails | null
}

/**
 * Creates a payment (PENDING), its history and its event; a payout reserves its amount in the sender's credit line. All
 * checks come before the first write, so that a failed payment leaves nothing behind and others may follow in the
 * commit. Fails with 400 (amount), 404 (bank), 409 (participant not approved, reference taken, credit line) or 422
 * (currency of the account, one account on both sides).
 */
export async function createPayment(tx: Tx, draft: PaymentDraft, by: string | null, now: Date): Promise<PaymentRow> {
  const { type, id, reference } = named(draft, now)
  const currency = currencyOf(draft.currency)
  const amount = amountOf(draft.amount, currency)
  const from = draft.from && (await requireBank(tx, draft.from))
  const to = draft.to && (await requireBank(tx, draft.to))
  if (from && to && from.account.id === to.account.id) {
    throw fail('UNPROCESSABLE', { message: 'Both sides of the transfer are the same account' })
  }
  await requireFree(tx, type, reference)
  const sender = from && { paymentId: id, participantId: from.pfi.id, currency, amount }
  const usesCredit = sender !== null && (await reserve(tx, sender, now))
  const row: PaymentRow = {
    id,
    type,
    status: 'PENDING',
    amount,
    amountKey: amountKey(amount, currency),
    currency,
    ...senderOf(from),
    ...receiverOf(to),
    kind: kindOf[type],
    reference,
    referenceKey: folded(reference),
    description: draft.description ?? null,
    bankDetails: draft.bankDetails ?? (type === 'DEPOSIT' && to ? wireTo(to) : null),
    transactionHash: null,
    usesCredit,
    createdAt: now,
    updatedAt: now,
  }
  await insertPayment(tx).execute(row)
  await writeHistory(tx, { row, fromStatus: null, by, comment: null, now })
  await noteMove(tx, row, null)
  const mark = await paymentRecords.mark(tx, id)
  await emit(tx, PaymentCreated, { v: 1, ...toPaymentRecord(row), previous: null, comment: null, ...mark }, now)
  return row
}

/** A draft with its names, which are generated when absent. */
export const named = <D extends Pick<PaymentDraft, 'id' | 'reference'>>(draft: D, now: Date) => ({
  ...draft,
  id: draft.id ?? newId(now),
  reference: draft.reference ?? newReference(),
})

async function requireFree(tx: Tx, type: PaymentType, reference: string): Promise<void> {
  const kind = kindOf[type]
  if (await findByReference(tx, kind, reference)) {
    throw fail('CONFLICT', { message: `A ${kind} with the reference ${reference} already exists` })
  }
}

const senderOf = (bank: Bank | null) => ({
  fromParticipantId: bank?.pfi.id ?? null,
  fromParticipantName: bank?.pfi.name ?? null,
  fromBankId: bank?.account.id ?? null,
  fromCustodianId: bank?.account.custodianBankId ?? null,
})
const receiverOf = (bank: Bank | null) => ({
  toParticipantId: bank?.pfi.id ?? null,
  toParticipantName: bank?.pfi.name ?? null,
  toBankId: bank?.account.id ?? null,
  toCustodianId: bank?.account.custodianBankId ?? null,
})

const wireTo = ({ account }: Bank): BankDetails => ({
  accountNumber: account.accountNumber,
  routingNumber: account.routingNumber,
  bankName: account.custodianBankName,
})

const insertPayment = insertInto(payments)

/** Without easily confused letters (Crockford's base 32). */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A generated reference: 12 letters and digits, 60 random bits. */
const newReference = (): string => Array.from(randomBytes(12), (byte) => letters[byte % 32]).join('')
