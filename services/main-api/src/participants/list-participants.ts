import { and, anywhere, asc, type Db, defineList, eq, matches, ne, param, variants } from '@bursar/store'
import { type ParticipantRow, toRecord } from './participants'
import type { CounterParty, ParticipantQuery } from './participants.model'
import { participants } from './participants.table'

const bySearchIn = (bySearch: boolean) => (bySearch ? matches(participants.searchName, param('search')) : undefined)

/** The participants that pass the filters, by age. */
export const participantList = defineList({
  id: participants.id,
  rows: (db) => db.select().from(participants),
  to: (row): ParticipantRow => row,
  read: ({ search = '', status }: Pick<ParticipantQuery, 'search' | 'status'>) => ({
    form: { bySearch: search !== '', byStatus: status !== undefined },
    values: { search: anywhere(search), status },
  }),
  where: ({ bySearch, byStatus }) =>
    and(bySearchIn(bySearch), byStatus ? eq(participants.status, param('status')) : undefined),
  isSparse: ({ bySearch, byStatus }) => bySearch || byStatus,
  countsAll: true,
})

/** The maximum number of counter-parties in one answer: the list has no pages, only a search. */
const mostCounterParties = 1000

/** The approved participants other than the caller, by name. */
export async function listCounterParties(db: Db, search: string, callerId: string): Promise<CounterParty[]> {
  const values = { search: anywhere(search), callerId, limit: mostCounterParties }
  return (await counterParties({ bySearch: search !== '' })(db).execute(values)).map(toRecord)
}

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
