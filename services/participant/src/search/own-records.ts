import { isUuid } from '@bursar/contracts/schema'
import { mostHits, type SearchHit } from '@bursar/contracts/search'
import {
  and,
  anywhere,
  asc,
  type Db,
  eq,
  getTableColumns,
  gte,
  lt,
  matches,
  nextTurn,
  or,
  param,
  prepared,
} from '@bursar/store'
import type { AccountRow } from '../accounts/accounts'
import { accounts } from '../accounts/accounts.table'
import type { CustomerRow } from '../customers/customers'
import { customers } from '../customers/customers.table'
import { lastPosition, together } from '../members/members'
import { members } from '../members/members.table'

/** The customers of a participant, and their accounts, by id or part of the name: scans only its own records. */
export async function searchOwn(db: Db, participantId: string, q: string): Promise<SearchHit[]> {
  // A UUID is matched against ids: names do not contain one.
  const values = { participantId, id: q.toLowerCase(), pattern: anywhere(isUuid(q) ? q.toLowerCase() : q) }
  const found = await inParts(db, values, ownCustomers)
  const held = await inParts(db, values, ownAccounts)
  return [...found.map(toCustomerHit), ...held.map(toAccountHit)]
}

/** The first hits of a search, which goes over the participant's customers in parts: other requests are answered in between. */
async function inParts<R>(
  db: Db,
  values: { participantId: string; id: string; pattern: string },
  search: (db: Db) => { execute(values: Record<string, unknown>): Promise<R[]> },
): Promise<R[]> {
  const last = await lastPosition(db, values.participantId)
  const found: R[] = []
  for (let from = 0; from <= last && found.length < mostHits; from += together) {
    if (from > 0) await nextTurn()
    const limit = mostHits - found.length
    found.push(...(await search(db).execute({ ...values, from, to: from + together, limit })))
  }
  return found
}

const toCustomerHit = ({ id, externalId, status, createdAt }: CustomerRow): SearchHit => ({
  kind: 'customer',
  id,
  title: externalId,
  detail: 'Customer',
  status,
  at: createdAt.toISOString(),
})

const toAccountHit = ({ id, name, status, customerName, customerExternalId, createdAt }: AccountRow): SearchHit => ({
  kind: 'account',
  id,
  title: name,
  detail: ['Account', customerName ?? customerExternalId].filter(Boolean).join(' · '),
  status,
  at: createdAt.toISOString(),
})

const isOwn = and(
  eq(members.participantId, param('participantId')),
  gte(members.position, param('from')),
  lt(members.position, param('to')),
)

const ownCustomers = prepared((db) =>
  db
    .select(getTableColumns(customers))
    .from(members)
    .innerJoin(customers, eq(customers.id, members.id))
    .where(and(isOwn, or(eq(customers.id, param('id')), matches(customers.externalId, param('pattern')))))
    .orderBy(asc(members.position))
    .limit(param('limit')),
)
const ownAccounts = prepared((db) =>
  db
    .select(getTableColumns(accounts))
    .from(members)
    .innerJoin(accounts, eq(accounts.customerId, members.id))
    .where(
      and(
        isOwn,
        or(
          eq(accounts.id, param('id')),
          matches(accounts.name, param('pattern')),
          matches(accounts.accountExternalId, param('pattern')),
        ),
      ),
    )
    .orderBy(asc(members.position), asc(accounts.id))
    .limit(param('limit')),
)
