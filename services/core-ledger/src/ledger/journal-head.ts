import { type Db, max, prepared } from '@bursar/store'
import { journal } from './journal.table'

/** The number of the newest entry of the journal; 0 when there is none. */
export async function journalHead(db: Db): Promise<number> {
  const [row] = await newestEntry(db).execute()
  return row?.seq ?? 0
}

const newestEntry = prepared((db) => db.select({ seq: max(journal.seq) }).from(journal))
