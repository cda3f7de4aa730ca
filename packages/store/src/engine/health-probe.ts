import type { Database } from 'bun:sqlite'
import { integer, table, timestamp } from '../schema/columns'
import { param, prepared } from '../statements/statements'

const health = table('__health', { id: integer().primaryKey(), checkedAt: timestamp().notNull() })

/** Makes the table of one row that `writeProbe` writes to. */
export const createHealthTable = (database: Database) =>
  database.run('CREATE TABLE IF NOT EXISTS __health (id integer PRIMARY KEY, checked_at integer NOT NULL)')

/** A write as small as any other: fails when none can be made. */
export const writeProbe = prepared((db) =>
  db
    .insert(health)
    .values({ id: 1, checkedAt: param('at') })
    .onConflictDoUpdate({ target: health.id, set: { checkedAt: param('at') } }),
)
