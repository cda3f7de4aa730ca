import type { AccountType } from '@bursar/contracts/account'
import { isUuid } from '@bursar/contracts/schema'
import { mostHits, type SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { byKey, type Db, eq, folded, or, param, prepared } from '@bursar/store'
import { accountTexts } from '../search/account-texts'
import { type AccountRow, findAccount } from './accounts'
import { accounts } from './accounts.table'

/**
 * The accounts that match a search: by an id, else by the beginning of a name, an external id or an address. A
 * participant finds only its omnibus and fee-payer accounts: the participant service knows who owns a customer.
 */
export async function searchAccounts(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  if (participantId !== null) return (await ofParticipant(db).execute({ participantId })).filter(fits(q)).map(toHit)
  if (isUuid(q)) return (await byAnyId(db).execute({ id: q.toLowerCase() })).map(toHit)
  const ids = await accountTexts.first(db, q, mostHits)
  const rows = await Promise.all(ids.map((id) => findAccount(db, id)))
  return rows.flatMap((row) => (row ? [toHit(row)] : []))
}

const fits =
  (q: string) =>
  ({ id, name }: AccountRow): boolean =>
    id === q.toLowerCase() || folded(name).startsWith(folded(q))

const kinds: Record<AccountType, string> = {
  STABLECOINS: 'Account',
  PORTFOLIO: 'Portfolio account',
  OMNIBUS: 'Omnibus account',
  FEE_PAYER: 'Fee payer account',
}

const toHit = ({
  id,
  name,
  type,
  customerName,
  customerExternalId,
  accountExternalId,
  ...row
}: AccountRow): SearchHit => ({
  kind: 'account',
  id,
  title: name,
  detail: [kinds[type], customerName ?? customerExternalId, accountExternalId].filter(Boolean).join(' · '),
  status: row.status,
  at: row.createdAt.toISOString(),
})

const byAnyId = prepared((db) =>
  db
    .select()
    .from(accounts)
    .where(or(eq(accounts.id, param('id')), eq(accounts.walletAccountId, param('id')))),
)
const ofParticipant = byKey(accounts, 'participantId')
