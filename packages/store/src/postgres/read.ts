import type { Reading } from '../engine/open-read-only'
import { connectServer } from '../statements/server'
import { snapshotOf } from './open'
import { openPool } from './pool'
import { readOnce } from './reads'

const most = 2

/** Opens a service's schema for reading alone, beside the service or without it. */
export function readOnServer({ url, schema }: { url: string; schema: string }): Reading {
  const pool = openPool(url, most)

  /** A read-only transaction. */
  async function rows(text: string): Promise<Record<string, unknown>[]> {
    const connection = await pool.take()
    try {
      await connection.script(`BEGIN READ ONLY; SET LOCAL search_path TO "${schema}"`)
      const found = await connection.run(`SELECT row_to_json(q)::text FROM (${text}) AS q`)
      return found.rows.map(([row]) => JSON.parse(String(row)))
    } finally {
      await connection.run('ROLLBACK').then(connection.release, connection.drop)
    }
  }
  return {
    read: connectServer({
      schema,
      run(text, values, { writes }) {
        if (writes !== null) throw new Error('The connection is readonly')
        return readOnce(pool, text, values)
      },
    }),
    snapshot: (body) => snapshotOf(pool, schema, body),
    rows,
    tables: async () => {
      const found = await rows(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${schema}' ORDER BY table_name`,
      )
      return found.map(({ name }) => String(name))
    },
    close: () => pool.close(),
  }
}
