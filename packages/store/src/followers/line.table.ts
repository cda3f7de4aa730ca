import { integer, json, table } from '../schema/columns'

/** What waits to be written in its turn (in-turn.ts); always empty where one process owns the database. */
export const lineTable = (name: string) =>
  table(name, {
    number: integer().primaryKey({ autoIncrement: true }),
    item: json<unknown>().notNull(),
  })
