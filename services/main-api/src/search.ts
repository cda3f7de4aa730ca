import { isUuid } from '@bursar/contracts/schema'
import { mostHits, type SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { and, asc, type Db, eq, gte, isNull, lt, param, prepared, startingWith } from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { findCustodianBank } from './custodian-banks/custodian-banks'
import { custodianBanks } from './custodian-banks/custodian-banks.table'
import { findParticipant, type ParticipantRow } from './participants/participants'
import { participants } from './participants/participants.table'

/**
 * The institutions and custodian banks that match a search: by id, by registration number, by the beginning
 * of the name. A participant finds itself.
 */
export async function searchInstitutions(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  if (participantId !== null) return await itself(db, participantId, q)
  return isUuid(q) ? await byId(db, q.toLowerCase()) : await byText(db, q)
}

/** It is read by its id: among the first of a name others may take its place. */
async function itself(db: Db, id: string, q: string): Promise<SearchHit[]> {
  const row = await findParticipant(db, id)
  if (!row) return []
  const isNamed = row.searchName.startsWith(startingWith(q).searchFrom)
  return isNamed || row.registrationNumber === q || id === q.toLowerCase() ? [toHit(row)] : []
}

async function byId(db: Db, id: string): Promise<SearchHit[]> {
  const participant = await findParticipant(db, id)
  if (participant) return [toHit(participant)]
  const bank = await findCustodianBank(db, id)
  return bank ? [toBankHit(bank)] : []
}

async function byText(db: Db, q: string): Promise<SearchHit[]> {
  const values = { ...startingWith(q), registrationNumber: q, limit: mostHits }
  const registered = await byRegistrationNumber(db).execute(values)
  const named = await byName(db).execute(values)
  const banks = await bankByName(db).execute(values)
  const rows = new Map([...registered, ...named].map((row) => [row.id, row]))
  return [...[...rows.values()].map(toHit), ...banks.map(toBankHit)]
}

const toHit = ({ id, name, country, registrationNumber, status, createdAt }: ParticipantRow): SearchHit => ({
  kind: 'participant',
  id,
  title: name,
  detail: `Institution · ${country} · ${registrationNumber}`,
  status,
  at: createdAt.toISOString(),
})

const toBankHit = ({ id, name, country, status, createdAt }: typeof custodianBanks.$inferSelect): SearchHit => ({
  kind: 'custodian',
  id,
  title: name,
  detail: `Custodian bank · ${country}`,
  status,
  at: createdAt.toISOString(),
})

const byRegistrationNumber = prepared((db) =>
  db
    .select()
    .from(participants)
    .where(eq(participants.registrationNumber, param('registrationNumber')))
    .limit(param('limit')),
)
const beginsSo = (column: AnyColumn) => and(gte(column, param('searchFrom')), lt(column, param('searchTo')))
const byName = prepared((db) =>
  db
    .select()
    .from(participants)
    .where(beginsSo(participants.searchName))
    .orderBy(asc(participants.searchName))
    .limit(param('limit')),
)
const bankByName = prepared((db) =>
  db
    .select()
    .from(custodianBanks)
    .where(and(isNull(custodianBanks.deletedAt), beginsSo(custodianBanks.searchName)))
    .orderBy(asc(custodianBanks.searchName))
    .limit(param('limit')),
)
