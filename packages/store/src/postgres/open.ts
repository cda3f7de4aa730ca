import { silentLog } from '@bursar/contracts/log'
import { most } from '../engine/connection-limits'
import { SnapshotEndedError, StoreClosedError } from '../engine/errors'
import { writeProbe } from '../engine/health-probe'
import { listeners } from '../engine/listeners'
import type { OpenStore, StoreOptions } from '../engine/open-store'
import { type OutboxEvent, rememberWriter } from '../engine/writers'
import { noteArrivals } from '../followers/arrivals'
import { type Answer, connectServer } from '../statements/server'
import type { Db, Tx } from '../statements/statements'
import { sayAlive, sayEnd } from '../work/alive'
import { type LaneFigures, laneCommits } from './commits'
import { type LaneGuard, laneGuard } from './guard'
import { migrateSchema } from './migrate'
import type { Pool } from './pool'
import { lostAs, readOnce, readsOn } from './reads'
import { sharePool } from './shared-pool'

export interface ServerOptions extends Omit<StoreOptions, 'file' | 'note' | 'tuning'> {
  /** The server, as `postgres://user@host:5432/database`. */
  url: string
  /** The schema of the service's tables; made where there is none. */
  schema: string
  /** How long a server that does not answer is waited for; for tests. */
  patienceMs?: number
  /** For tests. */
  guard?: (keys: ReadonlySet<string>) => LaneGuard
}

/** A store with the outcomes of its transactions since it was opened. */
export interface ServerStore extends OpenStore {
  lanes(): LaneFigures
}

/** Opens a service's schema on a server and brings it up to date. Throws MigrationError when that cannot be. */
export async function openOnServer(options: ServerOptions): Promise<ServerStore> {
  const { service: name, schema, log = silentLog, requestId = () => null, traceparent = () => null } = options
  const [writing, reading] = [sharePool(options.url, 'commits'), sharePool(options.url, 'reads')]
  try {
    await migrateSchema(writing, schema, options.migrations, { log, patienceMs: options.patienceMs })
  } catch (error) {
    await Promise.all([writing.close(), reading.close()])
    throw error
  }
  const events = listeners<readonly OutboxEvent[]>(log)
  const closes = listeners<void>(log)
  const counts = { statements: 0, bodies: 0 }
  const counted = <A extends unknown[]>(run: (...args: A) => Promise<Answer>) => {
    return (...args: A) => {
      counts.statements += 1
      return run(...args)
    }
  }
  let version = 0
  const commits = laneCommits<Tx, OutboxEvent>({
    pool: writing,
    writers: most.commits.one,
    tx: () => tx,
    end: noteArrivals,
    requestId,
    committed: (attempts) => {
      const made = attempts.flatMap((attempt) => attempt.events)
      if (made.length > 0) events.call(made)
    },
    log,
    guard: options.guard ?? laneGuard,
  })
  const tx = connectServer({ schema, run: counted(commits.run) }) as Tx
  const instance = crypto.randomUUID()
  rememberWriter(tx, { service: name, instance, current: commits.current, traceparent })
  const read = connectServer({ schema, run: counted(readsOn(reading, most.reads.one).run) })
  await commits.commit((own) => sayAlive(own, { instance, now: null }))
  let closing: Promise<void> | null = null

  async function close() {
    closes.call()
    // If this fails, the others find out.
    await commits.commit((own) => sayEnd(own, instance)).catch(() => {})
    await commits.end()
    await Promise.all([writing.close(), reading.close()])
  }

  return {
    name,
    instance,
    log,
    read,
    snapshot: (body) => {
      if (closing) return Promise.reject(new StoreClosedError('The store is closed'))
      return snapshotOf(reading, schema, body)
    },
    commit(body, keys, options) {
      counts.bodies += 1
      return commits.commit(body, keys, options)
    },
    async healthy() {
      if (closing) throw new StoreClosedError('The store is closed')
      await readOnce(reading, 'SELECT 1', [])
      await commits.commit((probed) => writeProbe(probed).execute({ at: new Date() }))
    },
    close: () => {
      closing ??= close()
      return closing
    },
    onEvents: events.add,
    lanes: commits.figures,
    commitFailures: () => commits.figures().failures,
    usedBytes: async () => null,
    size: () => sizeOf(reading, schema),
    counts: () => ({ ...counts }),
    // Other instances write as well: every read is outdated at once.
    versionOf: () => {
      version += 1
      return version
    },
    onClose: (listener) => {
      if (closing) listener()
      else closes.add(listener)
    },
  }
}

async function sizeOf(pool: Pool, schema: string) {
  const { rows } = await readOnce(pool, sizeOfSchema, [schema])
  return { bytes: Number(rows[0]?.[0]), logBytes: null }
}

const sizeOfSchema = `SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relkind = 'r'`

/** All reads of the body see one state. */
export async function snapshotOf<T>(pool: Pool, schema: string, body: (db: Db) => Promise<T>): Promise<T> {
  const connection = await pool.take().catch(lostAs)
  let isOpen = true
  const db = connectServer({
    schema,
    async run(text, values) {
      if (!isOpen) throw new SnapshotEndedError('A snapshot was read after its end')
      return await connection.run(text, values).catch(lostAs)
    },
  })
  try {
    await connection.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY').catch(lostAs)
    return await body(db)
  } finally {
    isOpen = false
    await connection.run('COMMIT').then(connection.release, connection.drop)
  }
}
