// For tests of all statements that a process has declared.
import { tablesInOneTree } from '../schema/columns'
import * as shared from '../schema/shared.table'
import type { Db } from './db'
import { connectServer, planOf, serverOf } from './server'
import { declared } from './statements'

/** The tables that each service has. */
export const sharedTables: Readonly<Record<string, unknown>> = shared

/** Where a connection's tables are on a server; null for a file. */
export const schemaOf = (connection: Db): string | null => serverOf(connection)?.schema ?? null

/** How many statements this process has declared. */
export const declaredCount = (): number => declared.size

/** The text of each statement, or of those after the first so many, for a server that has the tables in this schema. */
export function statementTexts(schema: string, after = 0): string[] {
  const db = connectServer({ schema, run: () => Promise.reject(new Error('Nothing is run here')) })
  return [...new Set([...declared].slice(after).map((build) => planOf(build(db)).text(schema)))]
}

const tableMade = /(CREATE TABLE `(?:__new_)?(\w+)` \(\n[\s\S]*?\n\));/g

/** A migration of SQLite with what drizzle-kit does not say of tables that are `inOneTree`. */
export const withoutRowId = (migration: string): string =>
  migration.replace(tableMade, (made, text: string, name: string) =>
    tablesInOneTree.has(name) ? `${text} WITHOUT ROWID;` : made,
  )

/** Tables that are `inOneTree`, and were made otherwise by these migrations of SQLite, in their order. */
export function tablesInTwoTrees(migrations: readonly string[]): string[] {
  const made = new Map(
    [...migrations.join('\n').matchAll(/CREATE TABLE `(?:__new_)?(\w+)` \(\n[\s\S]*?\n\)([^;]*);/g)].map(
      ([, name, options]) => [name as string, options as string],
    ),
  )
  return [...tablesInOneTree].filter((name) => made.get(name)?.trim() === '')
}
