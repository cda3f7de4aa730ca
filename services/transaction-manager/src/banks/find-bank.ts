import { and, asc, type Db, eq, inArray, param, prepared, queryAmong } from '@bursar/store'
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
 * The account that a `participantBankId` names, as `findBanks` has it. Fails with 404 when there is none, 409 when the
 * participant is not APPROVED or was deleted, 422 when the account is kept in another currency.
 */
export function requireBank(bank: Bank | undefined, name: BankName): Bank {
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

type Named = Pick<BankName, 'id' | 'currency'>

/**
 * The account with this id, else the oldest account in the currency of the participant with this id; undefined when
 * neither is among the replicas.
 */
export const findBank = async (db: Db, name: Named): Promise<Bank | undefined> => (await findBanks(db, [name]))(name)

/** The same for many names. */
export async function findBanks(db: Db, names: readonly Named[]): Promise<(name: Named) => Bank | undefined> {
  const ids = [...new Set(names.map(({ id }) => id))]
  const named = new Map((await banksById(db, ids)).map((bank) => [bank.account.id, bank]))
  const oldest = new Map<string, Bank | undefined>()
  for (const { id, currency } of names) {
    const key = `${id} ${currency}`
    if (named.has(id) || oldest.has(key)) continue
    const [bank] = await banksOfParticipant(db).execute({ participantId: id, currency })
    oldest.set(key, bank)
  }
  return ({ id, currency }) => named.get(id) ?? oldest.get(`${id} ${currency}`)
}

const unknownBank = ({ field, id, currency }: BankName) =>
  fail('NOT_FOUND', {
    message: `${field} ${id} is neither a known bank account nor a participant with an account in ${currency}`,
  })

const banks = (db: Db) =>
  db
    .select({ account: bankAccounts, pfi: pfis, deletedAt: participants.deletedAt })
    .from(bankAccounts)
    .innerJoin(pfis, eq(pfis.id, bankAccounts.participantId))
    .leftJoin(participants, eq(participants.id, bankAccounts.participantId))
const banksById = queryAmong((ids) => (db) => banks(db).where(inArray(bankAccounts.id, ids)))
const banksOfParticipant = prepared((db) =>
  banks(db)
    .where(and(eq(bankAccounts.participantId, param('participantId')), eq(bankAccounts.currency, param('currency'))))
    .orderBy(asc(bankAccounts.id))
    .limit(1),
)
