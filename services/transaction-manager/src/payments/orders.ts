import { AppError, mapConcurrent } from '@bursar/http'
import type { BankName } from '../banks/find-bank'
import { type LearnDeps, learnBank } from '../banks/learn-bank'
import { checkBankDetails } from '../fields/bank-codes'
import { currencyOf } from '../fields/currency'
import type { PaymentDraft } from './create-payments'
import type { NewDeposit, NewTransfer, NewWithdrawal } from './requests.model'

/** POST /deposit, /do-deposit or /management/deposit as a payment. */
export const depositDraft = (
  type: 'DEPOSIT' | 'DO_DEPOSIT' | 'INTERNAL_DEPOSIT',
  { participantBankId, ...rest }: NewDeposit,
): PaymentDraft => ({
  ...rest,
  type,
  from: null,
  to: bankName('participantBankId', participantBankId, rest.currency),
})

/** POST /withdrawal as a payment; 400 when the destination account is invalid. */
export const withdrawalDraft = ({ participantBankId, destinationAccount, ...rest }: NewWithdrawal): PaymentDraft => ({
  ...rest,
  type: 'WITHDRAWAL',
  from: bankName('participantBankId', participantBankId, rest.currency),
  to: null,
  bankDetails: checkBankDetails(destinationAccount, currencyOf(rest.currency)),
})

/** POST /transfer as a payment. */
export const transferDraft = ({ fromParticipantBankId, toParticipantBankId, ...rest }: NewTransfer): PaymentDraft => ({
  ...rest,
  type: 'TRANSFER',
  from: bankName('fromParticipantBankId', fromParticipantBankId, rest.currency),
  to: bankName('toParticipantBankId', toParticipantBankId, rest.currency),
})

const bankName = (field: string, id: string, currency: string): BankName => ({
  field,
  id: id.toLowerCase(),
  currency: currencyOf(currency),
})

/** Concurrent calls to the main API. */
const callsAtOnce = 8

/**
 * Fetches missing replicas of the accounts of payments from the main API, before the commit that creates the payments.
 */
export async function learnBanks(deps: LearnDeps, ...drafts: (PaymentDraft | AppError)[]): Promise<void> {
  const names = drafts.flatMap((draft) => (draft instanceof AppError ? [] : [draft.from, draft.to]))
  await mapConcurrent(
    names.filter((name) => name !== null),
    callsAtOnce,
    (name) => learnBank(deps, name),
  )
}
