import { integer, json, table } from '../schema/columns'

/** Items that wait to be written in turn (in-turn.ts); always empty if one process owns the database. */
export const lineTable = (name: string) =>
  table(name, {
    number: integer().primaryKey({ autoIncrement: true }),
    item: json<unknown>().notNull(),
  })
