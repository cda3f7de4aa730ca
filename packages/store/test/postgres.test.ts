import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, postgresPrograms, startPostgres } from '@bursar/testing/postgres'
import { serverUrl } from './harness'

// The tests of this package once more, with their tables on a PostgreSQL server. Debian's postgresql has its programs.

const folder = postgresPrograms()
const here = import.meta.dir

/** Files that are about the file of an embedded database: its log, its lock, its plans, its damage, its backup. */
const ofFiles = [
  'backup',
  'checkpoint',
  'crash',
  'damage',
  'durability',
  'file-lock',
  'migrate',
  'optimistic',
  'plans',
  'power-cut',
  'run-file',
]
/** Files whose tests rely on bodies without a key sharing a transaction, or on SQL of their own past the store. */
const ofOneWriter = [
  'commit',
  'commit-callers',
  'count-up-to',
  'kept-keys',
  'relay',
  'relay-callers',
  'relay-outage',
  'remember',
]
const leftOut = new Set([...ofFiles, ...ofOneWriter, 'postgres'])

/** Tests of the other files that hold for SQLite alone, with the reason. */
const ofSqlite: Readonly<Record<string, string>> = {
  'batched > a body that runs again, because another one threw, has the same batch; one given meanwhile is of the next':
    'bodies without a key are alone',
  ...Object.fromEntries(
    [
      'keeps what is younger than its table needs',
      'lets the oldest rows go until it holds no more',
      'lets those of the first table go first',
    ].map((title) => [
      `a database that may hold so much > ${title}`,
      'the size of a schema is not asked: its bound does nothing',
    ]),
  ),
}

/** What ran in a run of tests: name and outcome. */
function outcomesIn(said: string): Map<string, boolean> {
  const lines = said.matchAll(/^\((pass|fail)\) (.*?)(?: \[[\d.]+ms\])?$/gm)
  return new Map([...lines].map(([, outcome, name]) => [name as string, outcome === 'pass']))
}

describe.skipIf(folder === null || serverUrl !== null)('the tests of the store, on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(folder as string)
  })
  afterAll(() => server.stop())

  test('hold, but for those of SQLite', async () => {
    const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !leftOut.has(name.replace('.test.ts', '')))
      .map((name) => join(here, name))
    const run = Bun.spawn([process.execPath, 'test', '--timeout=300000', ...files], {
      env: { ...process.env, TEST_DATABASE_URL: server.url },
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const said = await run.stderr.text()
    const outcomes = outcomesIn(said)
    const failed = [...outcomes].filter(([, holds]) => !holds).map(([name]) => name)
    if (failed.some((name) => !Object.hasOwn(ofSqlite, name))) process.stderr.write(said)
    expect(outcomes.size).toBeGreaterThan(100)
    // Both ways: what holds after all leaves the list.
    expect(failed.toSorted()).toEqual(Object.keys(ofSqlite).toSorted())
  })
})
