import { and, type Db, eq, inArray, min, or, param, prepared, queryAmong } from '@bursar/store'
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
 * The accounts that `participantBankId`s name, in their order: the account with this id, else the oldest account in the currency
 * of the participant with this id. Fails with 404 when neither exists, 409 when the participant is not APPROVED or was
 * deleted, 422 when the account is kept in another currency; of several faults the first name's is told.
 */
export async function requireBanks(db: Db, names: readonly BankName[]): Promise<Bank[]> {
  const found = await findBanks(db, names)
  return names.map((name, i) => {
    const bank = found[i]
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
  })
}

/** Undefined for what is not among the replicas. */
export async function findBanks(db: Db, names: readonly BankName[]): Promise<(Bank | undefined)[]> {
  const found = new Map<string, Bank[]>()
  for (const [currency, some] of Map.groupBy(names, (name) => name.currency)) {
    const ids = [...new Set(some.map(({ id }) => id))]
    found.set(currency, await banksAmong(db, ids, { currency }))
  }
  return names.map(({ id, currency }) => {
    const banks = found.get(currency) ?? []
    const own = banks.filter(({ account }) => account.participantId === id && account.currency === currency)
    return (
      banks.find(({ account }) => account.id === id) ?? own.sort((a, b) => (a.account.id < b.account.id ? -1 : 1))[0]
    )
  })
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

/** The accounts with these ids, and the oldest in the currency of each participant with one of them. */
const banksAmong = queryAmong((ids) => (db) => {
  const oldest = db
    .select({ id: min(bankAccounts.id) })
    .from(bankAccounts)
    .where(and(inArray(bankAccounts.participantId, ids), eq(bankAccounts.currency, param('currency'))))
    .groupBy(bankAccounts.participantId)
  return db
    .select({ account: bankAccounts, pfi: pfis, deletedAt: participants.deletedAt })
    .from(bankAccounts)
    .innerJoin(pfis, eq(pfis.id, bankAccounts.participantId))
    .leftJoin(participants, eq(participants.id, bankAccounts.participantId))
    .where(or(inArray(bankAccounts.id, ids), inArray(bankAccounts.id, oldest)))
})
const pfiById = prepared((db) =>
  db
    .select({ status: pfis.status })
    .from(pfis)
    .where(eq(pfis.id, param('id'))),
)
