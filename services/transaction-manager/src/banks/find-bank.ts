import { and, asc, type Db, eq, param, prepared } from '@bursar/store'
import { fail } from '../errors'
import { bankAccounts } from './bank-accounts.table'
import type { BankAccountRow, PfiRow } from './banks'
import { participants } from './participants.table'
import { pfis } from './pfis.table'

/** A participant's account at a custodian bank, with its participant. */
export interface Bank {
  account: BankAccountRow
  pfi: PfiRow
  /** When the participant was deleted. */
  deletedAt: Date | null
}

/** A reference to an account in a request: the field, for messages, and its value. */
export interface BankName {
  field: string
  id: string
  currency: string
}

/**
 * The account that a `participantBankId` names: the account with this id, else the oldest account in the currency of
 * the participant with this id. Fails with 404 when neither exists, 409 when the participant is not APPROVED or was
 * deleted, 422 when the account is kept in another currency.
 */
export async function requireBank(db: Db, name: BankName): Promise<Bank> {
  const bank = await findBank(db, name)
  if (!bank) throw unknownBank(name)
  const { account, pfi, deletedAt } = bank
  const state = pfi.status === 'APPROVED' && deletedAt !== null ? 'deleted' : pfi.status
  if (state !== 'APPROVED') {
    throw fail('CONFLICT', {
      message: `The participant ${pfi.name} of ${name.field} is ${state}: only an APPROVED one takes part in payments`,
    })
  }
  if (account.currency !== name.currency) {
    throw fail('UNPROCESSABLE', {
      message: `The account of ${name.field} is kept in ${account.currency}, not in ${name.currency}`,
    })
  }
  return bank
}

/** Undefined when it is not among the replicas. */
export async function findBank(db: Db, { id, currency }: Pick<BankName, 'id' | 'currency'>): Promise<Bank | undefined> {
  const [named] = await bankById(db).execute({ id })
  if (named) return named
  const [oldest] = await banksOfParticipant(db).execute({ participantId: id, currency })
  return oldest
}

/** Whether the replicas have an APPROVED participant with this id. */
export async function isKnownApproved(db: Db, id: string): Promise<boolean> {
  const [row] = await pfiById(db).execute({ id })
  return row?.status === 'APPROVED'
}

const unknownBank = ({ field, id, currency }: BankName) =>
  fail('NOT_FOUND', {
    message: `${field} ${id} is neither a known bank account nor a participant with an account in ${currency}`,
  })

const bank = { account: bankAccounts, pfi: pfis, deletedAt: participants.deletedAt }
const bankById = prepared((db) =>
  db
    .select(bank)
    .from(bankAccounts)
    .innerJoin(pfis, eq(pfis.id, bankAccounts.participantId))
    .leftJoin(participants, eq(participants.id, bankAccounts.participantId))
    .where(eq(bankAccounts.id, param('id'))),
)
const banksOfParticipant = prepared((db) =>
  db
    .select(bank)
    .from(bankAccounts)
    .innerJoin(pfis, eq(pfis.id, bankAccounts.participantId))
    .leftJoin(participants, eq(participants.id, bankAccounts.participantId))
    .where(and(eq(bankAccounts.participantId, param('participantId')), eq(bankAccounts.currency, param('currency'))))
    .orderBy(asc(bankAccounts.id))
    .limit(1),
)
const pfiById = prepared((db) =>
  db
    .select({ status: pfis.status })
    .from(pfis)
    .where(eq(pfis.id, param('id'))),
)
