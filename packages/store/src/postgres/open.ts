import { silentLog } from '@bursar/contracts/log'
import { SnapshotEndedError, StoreClosedError } from '../engine/errors'
import { writeProbe } from '../engine/health-probe'
import { listeners } from '../engine/listeners'
import type { OpenStore, StoreOptions } from '../engine/open-store'
import { type OutboxEvent, rememberWriter } from '../engine/writers'
import { noteArrivals } from '../followers/arrivals'
import { register } from '../outbox/instances'
import { type Access, type Answer, connectServer } from '../statements/server'
import type { Db, Tx } from '../statements/statements'
import { type LaneFigures, laneCommits } from './commits'
import { type LaneGuard, laneGuard } from './guard'
import { migrateSchema } from './migrate'
import { openPool, type Pool } from './pool'

/** Connections of one service in one process. */
const writers = 1
const readers = 2

export interface ServerOptions extends Omit<StoreOptions, 'file' | 'note' | 'tuning'> {
  /** The server, as `postgres://user@host:5432/database`. */
  url: string
  /** The schema of the service's tables; made where there is none. */
  schema: string
  /** For tests. */
  guard?: (keys: ReadonlySet<string>) => LaneGuard
}

/** What became of the transactions of a store, since it was opened. */
export interface ServerStore extends OpenStore {
  lanes(): LaneFigures
}

/** Opens a service's schema on a server and brings it up to date. Throws MigrationError when that cannot be. */
export async function openOnServer(options: ServerOptions): Promise<ServerStore> {
  const { service: name, schema, log = silentLog, requestId = () => null, traceparent = () => null } = options
  const [writing, reading] = [openPool(options.url, writers), openPool(options.url, readers)]
  try {
    await migrateSchema(writing, schema, options.migrations)
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
    writers,
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
  const read = connectServer({
    schema,
    run: counted(async (text: string, values: readonly unknown[], access: Access) => {
      if (access.writes !== null) throw new Error('The reading connection is readonly')
      return await readOnce(reading, text, values)
    }),
  })
  await commits.commit((own) => register(own, { instance, now: null }))
  let closing: Promise<void> | null = null

  async function close() {
    closes.call()
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
    commit(body, key) {
      counts.bodies += 1
      return commits.commit(body, key)
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
    counts: () => ({ ...counts }),
    // Other instances write as well: nothing that was read stays true.
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

/** Runs a query outside any transaction. */
export async function readOnce(pool: Pool, text: string, values: readonly unknown[]): Promise<Answer> {
  const connection = await pool.take()
  try {
    return await connection.run(text, values)
  } finally {
    connection.release()
  }
}

/** All reads of the body see one state. */
export async function snapshotOf<T>(pool: Pool, schema: string, body: (db: Db) => Promise<T>): Promise<T> {
  const connection = await pool.take()
  let isOpen = true
  const db = connectServer({
    schema,
    async run(text, values) {
      if (!isOpen) throw new SnapshotEndedError('A snapshot was read after its end')
      return await connection.run(text, values)
    },
  })
  try {
    await connection.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return await body(db)
  } finally {
    isOpen = false
    await connection.run('COMMIT').then(connection.release, connection.drop)
  }
}
