// For tests of all statements that a process has declared.
import * as shared from '../schema/shared.table'
import type { Db } from './db'
import { connectServer, planOf, serverOf } from './server'
import { declared } from './statements'

/** The tables that each service has. */
export const sharedTables: Readonly<Record<string, unknown>> = shared

/** Where a connection's tables are on a server; null for a file. */
export const schemaOf = (connection: Db): string | null => serverOf(connection)?.schema ?? null

/** The text of each statement, for a server that has the tables in this schema. */
export function statementTexts(schema: string): string[] {
  const db = connectServer({ schema, run: () => Promise.reject(new Error('Nothing is run here')) })
  return [...new Set([...declared].map((build) => planOf(build(db)).text(schema)))]
}
