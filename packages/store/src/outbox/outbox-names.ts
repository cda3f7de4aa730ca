import { asc, count, min } from 'drizzle-orm'
import { outbox } from '../schema'
import { type Db, prepared } from '../statements/statements'

/** Events of one name in the outbox. */
interface WaitingName {
  name: string
  count: number
  oldestAt: Date
}

/** An outbox may hold millions of events while the broker is away. */
const mostRows = 10_000

/** The names of the events that the outbox holds, of its oldest ten thousand. */
export async function namesInOutbox(db: Db): Promise<WaitingName[]> {
  const rows = await names(db).execute()
  return rows.map(({ oldestAt, ...row }) => ({ ...row, oldestAt: oldestAt ?? new Date(0) }))
}

const names = prepared((db) => {
  const oldest = db
    .select({ name: outbox.name, createdAt: outbox.createdAt })
    .from(outbox)
    .orderBy(asc(outbox.seq))
    .limit(mostRows)
    .as('oldest')
  return db
    .select({ name: oldest.name, count: count(), oldestAt: min(oldest.createdAt) })
    .from(oldest)
    .groupBy(oldest.name)
    .orderBy(asc(oldest.name))
})
