// Which instances of a service are alive, by the database's clock. Each says so every few seconds, in one commit for
// everything that it alone does: its events (outbox/instances.ts), and the work that it leases (lease.ts).
import { and, gt, lte, type SQL, sql } from 'drizzle-orm'
import { instances } from '../schema/shared.table'
import { databaseClock } from '../statements/clock'
import { deleteBy } from '../statements/plain'
import { param, prepared, type Tx } from '../statements/statements'

/** An instance that is silent for this long has ended, or is held up. */
export const aliveMs = 10_000
export const beatMs = 4000

/** The instance, and the time; null for the database's clock. */
export interface At {
  instance: string
  now: number | null
}

/**
 * Records that an instance is alive. To be called before it emits events or takes leases: others would take those over.
 */
export const sayAlive = (tx: Tx, at: At): Promise<unknown> => putInstance(tx).execute({ ...at, aliveMs })

/** Records that an instance ends: others take over at once. */
export const sayEnd = (tx: Tx, instance: string): Promise<unknown> => forget(tx).execute({ id: instance })

/** SQL: the instances that are alive. A time too far ahead was written while the clock was wrong. */
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
const forget = deleteBy(instances, 'id')
