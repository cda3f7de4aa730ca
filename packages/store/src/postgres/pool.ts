// Bun's client for PostgreSQL, behind this file alone.
import { SQL } from 'bun'
import type { Answer } from '../statements/server'

/** One connection. Statements that are sent before the first one is answered share a round trip. */
export interface Connection {
  /** The server runs statements in the order of the calls. */
  run(text: string, values?: readonly unknown[]): Promise<Answer>
  /** Several statements without values, such as a migration. */
  script(text: string): Promise<void>
}

export interface Pool {
  /** Takes a connection for exclusive use. */
  take(): Promise<Taken>
  close(): Promise<void>
}

export interface Taken extends Connection {
  /** Returns it to the pool. */
  release(): void
  /** Closes it, because its state is unknown. */
  drop(): void
}

/** The server's code of a failed statement: five characters (SQLSTATE); null if the connection was lost. */
export function stateOf(error: unknown): string | null {
  const found = ofServer(error)
  return found && /^[0-9A-Z]{5}$/.test(found.errno ?? '') ? (found.errno as string) : null
}

/** Codes with which the server ends the connection: it stops, starts, or has waited too long. */
const isEnd = /^(08...|57P0[1-5]|25P03)$/

/** Whether the connection to the server failed, and not a statement. */
export const isLost = (error: unknown): boolean => ofServer(error) !== null && isEnd.test(stateOf(error) ?? '08000')

/** Other errors have a `code` too: the class decides. Drizzle wraps those of statements that are not prepared. */
function ofServer(error: unknown): SQL.PostgresError | null {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof SQL.PostgresError) return each
  return null
}

/** Whether the settings of a new connection were refused, and not the connection. */
const isRefusal = (error: unknown): boolean => /unsupported startup parameter/.test(ofServer(error)?.message ?? '')

interface Rows extends Array<unknown[]> {
  count: number
}

/**
 * Limits after which the server ends what hangs. A connection pooler may refuse such settings, because its connections
 * are shared: then those of the role apply.
 */
const limits = { statement_timeout: '60s', idle_in_transaction_session_timeout: '30s' }

/**
 * A text without values. `unsafe` would send it by the simple protocol, where a text may have several statements: it
 * would wait for the answers before it, and those behind it for its own.
 */
const templateOf = (text: string) =>
  Object.defineProperty([text], 'raw', { value: [text] }) as unknown as TemplateStringsArray

/**
 * How statements of commits find rows: by indexes, also where a table is so small that a scan looks cheaper. A serializable
 * transaction that has scanned a table, or joined it whole, meets every other that writes to it. Where nothing else finds the rows
 * they are scanned all the same; what that seems to cost then must not have each statement compiled.
 */
export const byIndexes = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off', jit: 'off' }

/** Opens connections on demand, at most `most`, with these settings if the server accepts settings. */
export function openPool(url: string, most: number, settings: Readonly<Record<string, string>> = {}): Pool {
  const connectWith = (connection: Record<string, string>) =>
    new SQL(url, { max: most, idleTimeout: 0, connectionTimeout: 10, connection })
  let client = connectWith({ ...limits, ...settings })
  let isLimited = true

  async function reserve(): Promise<Bun.ReservedSQL> {
    const asked = client
    try {
      return await asked.reserve()
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (isLimited) {
        isLimited = false
        client = connectWith({})
        await asked.close()
      }
      return await client.reserve()
    }
  }
  const over = (reserved: Bun.ReservedSQL): Taken => ({
    async run(text, values = []) {
      const query = values.length > 0 ? reserved.unsafe(text, values as unknown[]) : reserved(templateOf(text))
      // Sent now, not when first awaited: another call may come before that.
      const rows = (await query.values().execute()) as unknown as Rows
      return { rows, count: rows.count ?? rows.length }
    },
    async script(text) {
      await reserved.unsafe(text).simple()
    },
    release: () => void reserved.release(),
    drop: () => void reserved.close({ timeout: 0 }),
  })
  return {
    take: async () => over(await reserve()),
    close: () => client.close({ timeout: 5 }),
  }
}
