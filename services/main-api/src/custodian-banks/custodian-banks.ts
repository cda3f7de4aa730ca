import {
  and,
  asc,
  type Db,
  defineList,
  eq,
  folded,
  insertInto,
  isNull,
  newId,
  param,
  prepared,
  rowBy,
  type Tx,
  updateBy,
} from '@bursar/store'
import { fail } from '../errors'
import { knownCountry } from '../values'
import { bankAccounts } from './bank-accounts.table'
import type { CustodianBank, NewCustodianBank } from './custodian-banks.model'
import { custodianBanks } from './custodian-banks.table'

export type CustodianBankRow = typeof custodianBanks.$inferSelect

const isKept = isNull(custodianBanks.deletedAt)

/** Adds a custodian bank. Fails (409) when another one has its name, case-insensitively. */
export async function addCustodianBank(tx: Tx, input: NewCustodianBank, now: Date): Promise<CustodianBankRow> {
  const searchName = folded(input.name)
  if (await bankByName(tx, searchName)) throw fail('CONFLICT', { message: 'Another custodian bank has this name' })
  const row: CustodianBankRow = {
    id: newId(),
    name: input.name,
    searchName,
    country: knownCountry(input.country),
    services: input.services ?? [],
    status: input.status ?? 'ACTIVE',
    createdAt: now,
    deletedAt: null,
  }
  await insertBank(tx).execute(row)
  return row
}

/** A bank that was not deleted; undefined when there is none. */
export const findCustodianBank = rowBy(custodianBanks, 'id', isKept)

/** Fails (404) also for a deleted bank. */
export async function getCustodianBank(db: Db, id: string): Promise<CustodianBankRow> {
  const row = await findCustodianBank(db, id)
  if (!row) throw fail('NOT_FOUND', { message: 'Custodian bank not found' })
  return row
}

/** Deletes a bank. Fails when there is none (404), or participants have accounts at it (409). */
export async function deleteCustodianBank(tx: Tx, id: string, now: Date): Promise<void> {
  await getCustodianBank(tx, id)
  const [account] = await accountAt(tx).execute({ id })
  if (account) throw fail('CONFLICT', { message: 'Participants have accounts at this custodian bank' })
  await markDeleted(tx).execute({ id, deletedAt: now })
}

/** The record as the API returns it. */
export const toCustodianBank = ({ id, name, country, services, status }: CustodianBankRow): CustodianBank => ({
  id,
  name,
  country,
  services,
  status,
})

const insertBank = insertInto(custodianBanks)
const bankByName = rowBy(custodianBanks, 'searchName', isKept)
const accountAt = prepared((db) =>
  db
    .select({ id: bankAccounts.id })
    .from(bankAccounts)
    .where(eq(bankAccounts.custodianBankId, param('id')))
    .limit(1),
)
const markDeleted = updateBy(custodianBanks, 'id', ['deletedAt'])
/** The banks that were not deleted, by age. */
export const custodianBankList = defineList({
  id: custodianBanks.id,
  rows: (db) => db.select().from(custodianBanks),
  to: (row): CustodianBankRow => row,
  read: () => ({ form: {}, values: {} }),
  where: () => isKept,
  countsAll: true,
})
/** The banks that are active, by name. */
export const activeCustodianBanks = prepared((db) =>
  db
    .select()
    .from(custodianBanks)
    .where(and(isKept, eq(custodianBanks.status, 'ACTIVE')))
    .orderBy(asc(custodianBanks.searchName)),
)
