// Which instances of a service are alive, by the database's clock. Each says so every few seconds, in one commit that stands for all
// that only it does: its events are left to it (outbox/instances.ts), and the work that it has taken (lease.ts).
import { and, eq, gt, lte, type SQL, sql } from 'drizzle-orm'
import { instances } from '../schema/shared.table'
import { databaseClock } from '../statements/clock'
import { param, prepared, type Tx } from '../statements/statements'

/** An instance that has said nothing for so long has ended, or is held up. */
export const aliveMs = 10_000
export const beatMs = 4000

/** Which one, and the time; that of the database where it is null. */
export interface At {
  instance: string
  now: number | null
}

/** Says that an instance is alive. To be done before it emits or takes anything: others would take that over. */
export const sayAlive = (tx: Tx, at: At): Promise<unknown> => putInstance(tx).execute({ ...at, aliveMs })

/** It ends, and leaves what it has to others at once. */
export const sayEnd = (tx: Tx, instance: string): Promise<unknown> => forget(tx).execute({ instance })

/** Rows of `instances` that are alive. One that is so for much longer than they say it did that while the clock was wrong. */
export const isAlive = and(
  gt(instances.aliveUntil, databaseClock),
  lte(instances.aliveUntil, sql`${databaseClock} + ${sql.raw(`${2 * aliveMs}`)}`),
) as SQL

const aliveUntil = sql`${databaseClock} + cast(${param('aliveMs')} as bigint)`
const putInstance = prepared((db) =>
  db
    .insert(instances)
    .values({ id: param('instance'), aliveUntil })
    .onConflictDoUpdate({ target: instances.id, set: { aliveUntil } }),
)
const forget = prepared((db) => db.delete(instances).where(eq(instances.id, param('instance'))))
