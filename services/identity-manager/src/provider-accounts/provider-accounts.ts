import { and, type Db, deleteBy, eq, insertMissing, param, prepared, rowsBy, type Tx } from '@bursar/store'
import { providerAccounts } from './single-sign-on.table'

export type ProviderAccount = typeof providerAccounts.$inferSelect

/** An account at a provider, by the provider's identifier. */
export type AccountName = Pick<ProviderAccount, 'issuer' | 'subject'>

export async function findAccount(db: Db, name: AccountName): Promise<ProviderAccount | undefined> {
  const [row] = await byName(db).execute(name)
  return row
}

/** The accounts of a user, one at each provider. */
export const accountsOf = rowsBy(providerAccounts, 'userId', 'issuer')

/** Links an account to a user. Returns false when the user has another account at this provider. */
export async function linkAccount(tx: Tx, name: AccountName, userId: string, now: Date): Promise<boolean> {
  const row: ProviderAccount = { ...name, userId, createdAt: now, lastUsedAt: now }
  return (await insertAccounts(tx, [row])) === 1
}

export const noteUse = (tx: Tx, name: AccountName, now: Date): Promise<unknown> =>
  updateUse(tx).execute({ ...name, lastUsedAt: now })

/** Unlinks the user's accounts. */
export const unlinkAccountsOf = (tx: Tx, userId: string): Promise<unknown> => deleteOfUser(tx).execute({ userId })

const isNamed = and(eq(providerAccounts.issuer, param('issuer')), eq(providerAccounts.subject, param('subject')))
const byName = prepared((db) => db.select().from(providerAccounts).where(isNamed))
const insertAccounts = insertMissing(providerAccounts)
const updateUse = prepared((db) =>
  db
    .update(providerAccounts)
    .set({ lastUsedAt: param('lastUsedAt') })
    .where(isNamed),
)
const deleteOfUser = deleteBy(providerAccounts, 'userId')
