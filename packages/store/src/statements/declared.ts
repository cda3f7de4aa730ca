// For tests of all statements that a process has declared.
import { tablesInOneTree } from '../schema/columns'
import * as shared from '../schema/shared.table'
import type { Db } from './db'
import { connectServer, planOf, serverOf } from './server'
import { declared } from './statements'

/** The tables that every service has. */
export const sharedTables: Readonly<Record<string, unknown>> = shared

/** The schema of a connection's tables on a server; null for a file. */
export const schemaOf = (connection: Db): string | null => serverOf(connection)?.schema ?? null

/** How many statements this process has declared. */
export const declaredCount = (): number => declared.size

/** The texts of the declared statements after the first `after`, for a server with the tables in this schema. */
export function statementTexts(schema: string, after = 0): string[] {
  const db = connectServer({ schema, run: () => Promise.reject(new Error('Nothing is run here')) })
  return [...new Set([...declared].slice(after).map((build) => planOf(build(db)).text(schema)))]
}

const tableMade = /(CREATE TABLE `(?:__new_)?(\w+)` \(\n[\s\S]*?\n\));/g

/** A SQLite migration with WITHOUT ROWID, which drizzle-kit lacks, for tables that are `inOneTree`. */
export const withoutRowId = (migration: string): string =>
  migration.replace(tableMade, (made, text: string, name: string) =>
    tablesInOneTree.has(name) ? `${text} WITHOUT ROWID;` : made,
  )

/** Tables that are `inOneTree`, but were created otherwise by these SQLite migrations, run in order. */
export function tablesInTwoTrees(migrations: readonly string[]): string[] {
  const made = new Map(
    [...migrations.join('\n').matchAll(/CREATE TABLE `(?:__new_)?(\w+)` \(\n[\s\S]*?\n\)([^;]*);/g)].map(
      ([, name, options]) => [name as string, options as string],
    ),
  )
  return [...tablesInOneTree].filter((name) => made.get(name)?.trim() === '')
}
