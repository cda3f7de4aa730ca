import { and, anywhere, asc, count, type Db, desc, eq, matches, ne, type Order, param, variants } from '@bursar/store'
import { type ParticipantRow, toRecord } from './participants'
import type { CounterParty, ParticipantQuery } from './participants.model'
import { participants } from './participants.table'

/** A page of the participants that match the filters, oldest first by default, and their total. */
export async function listParticipants(
  db: Db,
  { limit, offset, search = '', status, order = 'asc' }: ParticipantQuery,
): Promise<{ rows: ParticipantRow[]; total: number }> {
  const form = { bySearch: search !== '', byStatus: status !== undefined }
  const values = { search: anywhere(search), status, limit, offset }
  const [found] = await countOfParticipants(form)(db).execute(values)
  const rows = limit === 0 ? [] : await pageOfParticipants({ ...form, order })(db).execute(values)
  return { rows, total: found?.total ?? 0 }
}

/** The maximum number of counter-parties in one answer: the list has no pages, only a search. */
const mostCounterParties = 1000

/** The approved participants other than the caller, by name. */
export async function listCounterParties(db: Db, search: string, callerId: string): Promise<CounterParty[]> {
  const values = { search: anywhere(search), callerId, limit: mostCounterParties }
  return (await counterParties({ bySearch: search !== '' })(db).execute(values)).map(toRecord)
}

type Filters = Record<'bySearch' | 'byStatus', boolean>

const bySearchIn = (bySearch: boolean) => (bySearch ? matches(participants.searchName, param('search')) : undefined)
const passing = ({ bySearch, byStatus }: Filters) =>
  and(bySearchIn(bySearch), byStatus ? eq(participants.status, param('status')) : undefined)

const pageOfParticipants = variants(
  ({ order, ...form }: Filters & { order: Order }) =>
    (db) =>
      db
        .select()
        .from(participants)
        .where(passing(form))
        .orderBy(order === 'asc' ? asc(participants.id) : desc(participants.id))
        .limit(param('limit'))
        .offset(param('offset')),
)
const countOfParticipants = variants(
  (form: Filters) => (db) => db.select({ total: count() }).from(participants).where(passing(form)),
)
const counterParties = variants(
  ({ bySearch }: { bySearch: boolean }) =>
    (db) =>
      db
        .select()
        .from(participants)
        .where(and(eq(participants.status, 'APPROVED'), ne(participants.id, param('callerId')), bySearchIn(bySearch)))
        .orderBy(asc(participants.searchName), asc(participants.id))
        .limit(param('limit')),
)
