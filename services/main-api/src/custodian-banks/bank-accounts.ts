import { BankAccountChanged, type BankAccountRecord, type BankAccountState } from '@bursar/contracts/main-api'
import {
  and,
  byKey,
  changedRecords,
  type Db,
  emit,
  eq,
  insertInto,
  newId,
  param,
  prepared,
  rowsBy,
  type Tx,
} from '@bursar/store'
import { badFields, fail } from '../errors'
import { getParticipant } from '../participants/participants'
import { accountNumberProblem, normalNumber, routingNumberProblem } from './account-numbers'
import type { BankAccount, NewBankAccount } from './bank-accounts.model'
import { bankAccounts } from './bank-accounts.table'
import { type CustodianBankRow, getCustodianBank } from './custodian-banks'

export type BankAccountRow = typeof bankAccounts.$inferSelect

/** The change feed that other services' replicas follow. */
export const bankAccountRecords = changedRecords('bank-account', bankAccounts)

/** The maximum number of accounts per participant, since one answer contains all. */
const mostAccounts = 1000

/**
 * Adds an account at a custodian bank to a participant. Fails when the participant or the bank does not exist (404),
 * the numbers are not valid (400), the account already exists, the participant was offboarded, or has too many (409).
 */
export async function addBankAccount(
  tx: Tx,
  participantId: string,
  input: NewBankAccount,
  now: Date,
): Promise<BankAccountRow> {
  const { status } = await getParticipant(tx, participantId)
  if (status === 'OFFBOARDED')
    throw fail('CONFLICT', { message: 'An offboarded participant cannot get a bank account' })
  if ((await accountsOfParticipant(tx, participantId)).length >= mostAccounts) {
    throw fail('CONFLICT', { message: `A participant has at most ${mostAccounts} bank accounts` })
  }
  const bank = await getCustodianBank(tx, input.custodianBankId)
  const numbers = checkedNumbers(input, bank)
  const currency = input.currency.toUpperCase()
  const [known] = await accountByNumber(tx).execute({ ...numbers, currency })
  if (known) throw fail('CONFLICT', { message: 'This bank account already exists' })
  const row: BankAccountRow = {
    id: newId(),
    participantId,
    ...numbers,
    accountType: input.accountType,
    currency,
    custodianBankId: bank.id,
    custodianBankName: bank.name,
    createdAt: now,
  }
  await insertAccount(tx).execute(row)
  await emit(tx, BankAccountChanged, { ...toRecord(row), ...(await bankAccountRecords.mark(tx, row.id)) }, now)
  return row
}

/** The accounts of a participant, oldest first. */
export async function bankAccountsOf(db: Db, participantId: string): Promise<BankAccountRow[]> {
  await getParticipant(db, participantId)
  return await accountsOfParticipant(db, participantId)
}

/** An account with its mark. */
export async function getBankAccountState(db: Db, id: string): Promise<BankAccountState> {
  const state = await bankAccountRecords.stateOf(db, id)
  if (!state) throw fail('NOT_FOUND', { message: 'Bank account not found' })
  return { ...toRecord(state.row), ...state.mark }
}

/** The record as other services get it. */
export const toRecord = ({ accountType: _, createdAt: __, ...record }: BankAccountRow): BankAccountRecord => record

/** The record as the API returns it. */
export const toBankAccount = (row: BankAccountRow): BankAccount => ({ ...row, createdAt: row.createdAt.toISOString() })

/** The numbers in their normal form. Fails (400) naming each that is not valid. */
function checkedNumbers(input: NewBankAccount, bank: CustodianBankRow) {
  const accountNumber = normalNumber(input.accountNumber)
  const routingNumber = normalNumber(input.routingNumber)
  const problems = {
    accountNumber: accountNumberProblem(accountNumber),
    routingNumber: routingNumberProblem(routingNumber, bank.country),
  }
  const fields = Object.entries(problems).flatMap(([field, problem]) =>
    problem === null ? [] : [{ field, message: `${field} ${problem}` }],
  )
  if (fields.length === 0) return { accountNumber, routingNumber }
  throw badFields(...fields)
}

const insertAccount = insertInto(bankAccounts)
const accountByNumber = byKey(bankAccounts, 'accountNumber', {
  only: and(eq(bankAccounts.routingNumber, param('routingNumber')), eq(bankAccounts.currency, param('currency'))),
})
const accountsOfParticipant = rowsBy(bankAccounts, 'participantId', 'id')

/** Whether a participant has an account at a custodian bank: then it is the bank's participant. */
export async function isOfBank(db: Db, participantId: string, custodianBankId: string): Promise<boolean> {
  const rows = await accountAt(db).execute({ participantId, custodianBankId })
  return rows.length > 0
}

const accountAt = prepared((db) =>
  db
    .select({ id: bankAccounts.id })
    .from(bankAccounts)
    .where(
      and(
        eq(bankAccounts.participantId, param('participantId')),
        eq(bankAccounts.custodianBankId, param('custodianBankId')),
      ),
    )
    .limit(1),
)
