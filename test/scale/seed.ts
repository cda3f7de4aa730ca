import { Database } from 'bun:sqlite'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceName, services } from '@bursar/contracts/services'
import type { Deps, Environment, Servable } from '@bursar/http'
import { openStore } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import type { TestService } from '@bursar/testing/service'
import type { PlanExceptions } from './plans'
import type { Values } from './requests'

/** How to fill a service's tables, and the requests for its operations. */
export interface Seed {
  /** Makes its database in a folder. Whatever grows with use gets about so many rows. */
  make(folder: string, rows: number): Promise<void>
  /** Values of the parameters of its operations. */
  values(rows: number, db: Database): Values
  /** Tables that stay small however long a deployment runs, each with the reason. */
  bounded: Readonly<Record<string, string>>
  /** Its statements that may go over a table or sort one. */
  plans?: PlanExceptions
  /** Operations that are not asked, each with the reason. */
  apart?: Readonly<Record<string, string>>
  /** The caller; by default a user, and the gateway for internal routes. */
  caller?(service: TestService, path: string): Promise<Record<string, string>> | undefined
  /** Lists that show a participant only its own, with the participants to request as. */
  scoped?: Readonly<Record<string, readonly string[]>>
  /** A part of its app, to request instead of all of it. */
  app?(deps: Deps): Servable
  /** Ends what its deps have opened. */
  end?(deps: Deps): unknown
  env?: Environment
  /** Answers of its peers, by the path of the call; others cannot be reached. */
  peers?: Readonly<Record<string, unknown>>
}

export const fileOf = (folder: string, name: ServiceName): string => join(folder, `${services[name].slug}.sqlite`)
export const migrationsOf = (name: ServiceName): string =>
  join(import.meta.dir, '../../services', name, 'migrations/sqlite')

/** Makes a service's database by its own migrations and fills it. */
export async function makeDatabase(name: ServiceName, folder: string, work: (db: Database) => void): Promise<void> {
  const empty = join(tempDir(), 'empty.sqlite')
  await (await openStore({ service: name, file: empty, migrations: migrationsOf(name) })).close()
  const file = fileOf(folder, name)
  copyFileSync(empty, file)
  fillDatabase(file, work)
}

/** Adds rows to a database that is made. */
export function fillDatabase(file: string, work: (db: Database) => void): void {
  const db = new Database(file)
  for (const pragma of ['synchronous = OFF', 'cache_size = -262144']) db.run(`PRAGMA ${pragma}`)
  leaveLog(db)
  db.transaction(() => work(db))()
  db.close()
}

/** A new file needs no write-ahead log. Slower while the store's own connection is open. */
function leaveLog(db: Database) {
  try {
    db.run('PRAGMA journal_mode = DELETE')
  } catch {
    // The log it is.
  }
}

/** Of every service: what its packages keep, and sweep. */
const ofEveryService: Seed['bounded'] = {
  __health: 'one row',
  meta: 'a few values',
  replicas: 'one row for each kind of record',
  outbox: 'is emptied as events are published',
  inbox: 'is swept',
  arrivals: 'is emptied as its followers work',
  instances: 'one row for each process of the service',
  leases: 'one row for each worker that is alone',
  idempotency_keys: 'is read by its key alone',
}

/** For the services whose records nobody keeps replicas of. */
export const noReplicas: Seed['bounded'] = { changes: 'is empty: nobody keeps replicas of its records' }

/** The tables that grow with use. */
export function grownTables(db: Database, { bounded }: Seed): string[] {
  const names = db
    .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    .all()
    .map(({ name }) => name)
  return names.filter((name) => !/^(sqlite_|__drizzle)/.test(name) && !(name in { ...ofEveryService, ...bounded }))
}

/** Those that the seed left empty, such as a new table. */
export const emptyTables = (db: Database, seed: Seed): string[] =>
  grownTables(db, seed).filter((name) => db.query(`SELECT 1 FROM "${name}" LIMIT 1`).get() === null)
