import { isUuid } from '@bursar/contracts/schema'
import { mostHits, type SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import type { Db } from '@bursar/store'
import { type CustomerRow, customerTexts, findCustomer } from './customers'

/**
 * The customers that match a search: by id, else by the beginning of a word of the external id. None for a
 * participant: the participant service knows which customers it owns.
 */
export async function searchCustomers(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  if (participantId !== null) return []
  const ids = isUuid(q) ? [q.toLowerCase()] : await customerTexts.first(db, q, mostHits)
  const rows = await Promise.all(ids.map((id) => findCustomer(db, id)))
  return rows.flatMap((row) => (row ? [toHit(row)] : []))
}

const toHit = ({ id, externalId, status, createdAt }: CustomerRow): SearchHit => ({
  kind: 'customer',
  id,
  title: externalId,
  detail: 'Customer',
  status,
  at: createdAt.toISOString(),
})
