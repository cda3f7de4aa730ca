import type { Database } from 'bun:sqlite'
import { connect, type Db, type Note } from '../statements/statements'
import { SnapshotEndedError, StoreClosedError } from './errors'
import type { ReadState } from './read-state'

/** Connections kept open for later snapshots; others are closed when their snapshot ends. */
const mostIdle = 2

type Connection = ReturnType<typeof newConnection>

/** Each snapshot has a connection of its own, so that it keeps its state while others read what was committed since. */
export function snapshots(open: () => Database, state: Pick<ReadState, 'whenReleased'>, note?: Note) {
  const idle: Connection[] = []
  const running = new Set<Promise<unknown>>()
  let closed = false

  /** Begins when all commits are on the disk. Callers that wait for such a commit are answered before the body runs. */
  const begin = () =>
    new Promise<Connection>((resolve, reject) => {
      let hasWaited = false
      state.whenReleased(() => {
        try {
          const connection = begun(idle.pop() ?? newConnection(open(), note))
          if (hasWaited) setImmediate(resolve, connection)
          else resolve(connection)
        } catch (error) {
          reject(error)
        }
      })
      hasWaited = true
    })

  function begun(connection: Connection): Connection {
    try {
      connection.begin()
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  }

  async function run<T>(body: (db: Db) => Promise<T>): Promise<T> {
    const connection = await begin()
    try {
      return await body(connection.db)
    } finally {
      release(connection)
    }
  }

  function release(connection: Connection) {
    try {
      connection.end()
      if (idle.length < mostIdle && !closed) {
        idle.push(connection)
        return
      }
    } catch {
      // The state could not be released, so the connection cannot be reused.
    }
    connection.close()
  }

  return {
    /** Runs the body with reads that all see one state of the data, the newest that is on the disk. */
    run<T>(body: (db: Db) => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(new StoreClosedError('The store is closed'))
      const result = run(body)
      const ended = result.catch(() => {}).finally(() => running.delete(ended))
      running.add(ended)
      return result
    },
    /** Accepts no more snapshots, and resolves when the running ones have ended. */
    async close() {
      closed = true
      await Promise.all(running)
      for (const connection of idle.splice(0)) connection.close()
    },
  }
}

function newConnection(database: Database, note?: Note) {
  const look = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1')
  let isOpen = false
  const guard = () => {
    if (!isOpen || !database.inTransaction) throw new SnapshotEndedError('A snapshot was read after its end')
  }
  return {
    db: connect(database, guard, note),
    begin() {
      database.run('BEGIN')
      // BEGIN alone fixes no state: the first read does.
      look.values()
      isOpen = true
    },
    end() {
      isOpen = false
      if (database.inTransaction) database.run('COMMIT')
    },
    close: () => database.close(),
  }
}
