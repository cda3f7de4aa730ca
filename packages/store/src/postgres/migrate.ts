import { type Log, messageOf, silentLog } from '@bursar/contracts/log'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { MigrationError } from '../engine/errors'
import { requireKnown } from '../engine/migrate'
import { isLost, type Pool, stateOf, type Taken } from './pool'

const attempts = 20

/** The name of a service's schema while files are copied into it. */
export const unfinished = (schema: string): string => `moving_${schema}`

/**
 * Brings the service's schema up to the newest of drizzle-kit's migrations in `folder`, all or nothing. Instances that start
 * together wait for each other on a row. Throws MigrationError when a migration fails, or when the schema was migrated by a
 * newer release or another checkout; it is as it was then. A server that does not answer is waited for, half a minute unless
 * said otherwise.
 */
export async function migrateSchema(
  pool: Pool,
  schema: string,
  folder: string,
  { log = silentLog, patienceMs = 30_000 }: { log?: Log; patienceMs?: number } = {},
): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder })
  const connection = await firstConnection(pool, log, patienceMs)
  try {
    await requireMoved(connection, schema)
    for (let attempt = 1; ; attempt++) {
      try {
        await makeBooks(connection.script, schema)
        break
      } catch (error) {
        // Another instance creates them at the same time.
        if (attempt === attempts || !['23505', '42P06', '42P07', '40001'].includes(stateOf(error) ?? '')) throw error
        await Bun.sleep(50)
      }
    }
    await connection.script(`BEGIN; SET LOCAL statement_timeout TO 0; SET LOCAL search_path TO "${schema}"`)
    try {
      await connection.run('SELECT 1 FROM __lock FOR UPDATE')
      const { rows } = await connection.run('SELECT hash, created_at FROM __drizzle_migrations ORDER BY created_at')
      const applied = rows.map(([hash, madeAt]) => ({ hash: hash as string, madeAt: Number(madeAt) }))
      requireKnown(applied, migrations, 'schema')
      const missing = migrations.slice(applied.length)
      for (const { sql, hash, folderMillis } of missing) {
        // drizzle-kit names the schema of the tables that are referred to.
        await connection.script(sql.join(';\n').replaceAll('"public".', `"${schema}".`))
        await connection.run('INSERT INTO __drizzle_migrations (hash, created_at) VALUES ($1, $2)', [
          hash,
          String(folderMillis),
        ])
      }
      await connection.run('COMMIT')
      if (missing.length > 0) log.info({ schema, migrations: missing.length }, 'The schema was brought up to date')
    } catch (error) {
      await connection.run('ROLLBACK')
      throw error
    }
  } catch (cause) {
    if (cause instanceof MigrationError) throw cause
    throw new MigrationError(`The migrations in ${folder} could not be applied: ${messageOf(cause)}`, { cause })
  } finally {
    connection.release()
  }
}

/** Throws where a move of files has not ended: an empty schema in the place of what they hold would be taken for all there is. */
async function requireMoved({ run }: Pick<Taken, 'run'>, schema: string): Promise<void> {
  const { rows } = await run('SELECT nspname::text FROM pg_catalog.pg_namespace WHERE nspname IN ($1, $2)', [
    schema,
    unfinished(schema),
  ])
  const isThere = rows.some(([name]) => name === schema)
  if (!isThere && rows.length > 0)
    throw new MigrationError(
      `A move of files to this database has not ended: run bun run move again; nothing starts before that. To begin without what the files hold, drop the schema ${unfinished(schema)} and its like.`,
    )
}

/** Waits for a server that starts with the machine: it may take longer than the services, and recover first. */
async function firstConnection(pool: Pool, log: Log, patienceMs: number): Promise<Taken> {
  const end = performance.now() + patienceMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.take()
    } catch (error) {
      if (!isLost(error) || performance.now() >= end) notReached(error)
      if (attempt === 1) log.warn({ err: error }, 'The PostgreSQL server does not answer yet: waiting for it')
      await Bun.sleep(Math.min(500, patienceMs))
    }
  }
}

/** Its address may hold a password: only where it comes from is named. */
export function notReached(cause: unknown, address = 'DATABASE_URL'): never {
  const problem = messageOf(cause)
  throw new Error(`The PostgreSQL server cannot be used (${problem}): check that it runs, and ${address}.`, { cause })
}

const makeBooks = (script: (text: string) => Promise<void>, schema: string): Promise<void> =>
  script(`CREATE SCHEMA IF NOT EXISTS "${schema}";
    CREATE TABLE IF NOT EXISTS "${schema}".__drizzle_migrations (hash text NOT NULL, created_at bigint PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS "${schema}".__lock (id integer PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS "${schema}".__health (id bigint PRIMARY KEY, checked_at bigint NOT NULL);
    INSERT INTO "${schema}".__lock VALUES (1) ON CONFLICT DO NOTHING`)
