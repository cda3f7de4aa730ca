import type { Database } from 'bun:sqlite'
import { integer, table, timestamp } from '../schema/columns'
import { param, prepared } from '../statements/statements'

const health = table('__health', { id: integer().primaryKey(), checkedAt: timestamp().notNull() })

/** Creates the table of one row that `writeProbe` writes to. */
export const createHealthTable = (database: Database) =>
  database.run('CREATE TABLE IF NOT EXISTS __health (id integer PRIMARY KEY, checked_at integer NOT NULL)')

/** A minimal write: it fails when the database cannot be written. */
export const writeProbe = prepared((db) =>
  db
    .insert(health)
    .values({ id: 1, checkedAt: param('at') })
    .onConflictDoUpdate({ target: health.id, set: { checkedAt: param('at') } }),
)
