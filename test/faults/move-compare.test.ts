// What `bun run move` finds where the server has not what the file has.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openStore } from '@bursar/store'
import { copyTables, openSource, openTarget, type Source, type Target, unfinished } from '@bursar/store/move'
import { tempDir } from '@bursar/testing'
import { type PostgresServer, postgresPrograms, startPostgres } from '@bursar/testing/postgres'

const folder = postgresPrograms()
const migrations = (engine: string) => join(import.meta.dir, '../../services/transaction-manager/migrations', engine)

type Rows = Parameters<Target['insert']>[1]

describe.skipIf(folder === null)('the comparison after a move', () => {
  let server: PostgresServer
  let source: Source
  let target: Target
  beforeAll(async () => {
    server = await startPostgres(folder as string)
    const file = join(tempDir(), 'transactions.sqlite')
    await (await openStore({ service: 'transaction-manager', file, migrations: migrations('sqlite') })).close()
    using database = new Database(file)
    const add = database.prepare('INSERT INTO credit_lines VALUES (?, ?, ?, ?, ?, ?, ?)')
    for (const [i, limit] of ['100', '250', '70'].entries()) add.run(`p${i}`, 'USD', limit, '1', '0', null, 1)
    source = openSource(file)
    target = await openTarget(server.url)
  })
  afterAll(async () => {
    source.close()
    await target.close()
    await server.stop()
  })

  /** Copies by a server that does this to the rows of credit lines. */
  async function copy(spoil: (rows: Rows) => Rows) {
    await target.make(unfinished('transactions'), migrations('postgres'))
    const insert: Target['insert'] = (into, rows) =>
      target.insert(into, into.table === 'credit_lines' ? spoil(rows) : rows)
    return await copyTables(source, { ...target, insert }, 'transactions')
  }

  test('finds nothing where all is there, in whatever order', async () => {
    expect((await copy((rows) => rows.toReversed())).get('credit_lines')).toBe(3)
  })

  test.each<[string, string, (rows: Rows) => Rows]>([
    ['a row that is missing', 'has 3 rows in the file, and 2 on the server', (rows) => rows.slice(1)],
    [
      'an amount that differs',
      'The limit of transactions.credit_lines add up to 420 in the file, and to 421 on the server',
      ([first = [], ...others]) => [first.with(2, '101'), ...others],
    ],
    [
      'amounts that were exchanged',
      'The rows of transactions.credit_lines are not the same',
      ([first = [], second = [], ...others]) => [first.with(2, '250'), second.with(2, '100'), ...others],
    ],
    [
      'a value that is none any more',
      'The rows of transactions.credit_lines are not the same',
      ([first = [], ...others]) => [first.with(5, '0'), ...others],
    ],
  ])('finds %s', async (_, says, spoil) => {
    await expect(copy(spoil)).rejects.toThrow(says)
  })
})
