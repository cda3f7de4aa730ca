import type { AccountType } from '@bursar/contracts/account'
import { isUuid } from '@bursar/contracts/schema'
import { mostHits, type SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { type Db, eq, folded, or, param, prepared } from '@bursar/store'
import { accountTexts } from '../search/account-texts'
import { type AccountRow, accountsOfParticipant, findAccount } from './accounts'
import { accounts } from './accounts.table'

/**
 * The accounts that match a search: by an id, else by the beginning of a name, an external id or an address. A
 * participant finds only its omnibus and fee-payer accounts: the participant service knows who owns a customer.
 */
export async function searchAccounts(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  if (participantId !== null) {
    const own = await accountsOfParticipant(db).execute({ participantId })
    return own.filter(({ id, name }) => id === q.toLowerCase() || folded(name).startsWith(folded(q))).map(toHit)
  }
  if (isUuid(q)) return (await byAnyId(db).execute({ id: q.toLowerCase() })).map(toHit)
  const ids = await accountTexts.first(db, q, mostHits)
  const rows = await Promise.all(ids.map((id) => findAccount(db, id)))
  return rows.flatMap((row) => (row ? [toHit(row)] : []))
}

const kinds: Record<AccountType, string> = {
  STABLECOINS: 'Account',
  PORTFOLIO: 'Portfolio account',
  OMNIBUS: 'Omnibus account',
  FEE_PAYER: 'Fee payer account',
}

const toHit = ({ id, name, type, status, createdAt, ...row }: AccountRow): SearchHit => ({
  kind: 'account',
  id,
  title: name,
  detail: [kinds[type], row.customerName ?? row.customerExternalId, row.accountExternalId].filter(Boolean).join(' · '),
  status,
  at: createdAt.toISOString(),
})

const byAnyId = prepared((db) =>
  db
    .select()
    .from(accounts)
    .where(or(eq(accounts.id, param('id')), eq(accounts.walletAccountId, param('id')))),
)
