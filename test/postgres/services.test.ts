import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { type PostgresServer, postgresPrograms, startPostgres } from '@bursar/testing/postgres'
import { onServer, outcomesIn, unexpectedIn } from '../../scripts/run-tests/on-postgres'

// A few of the services' tests with their tables on PostgreSQL, in each run: the ledger's ways of money, a small service whole, and
// what shares a transaction.
// All of them: scripts/test --postgres. Debian's postgresql has the server's programs.
const root = join(import.meta.dir, '../..')
const folder = postgresPrograms()
if (!folder) console.log('The tests of services on PostgreSQL were SKIPPED: its server is not installed here.')

const files = [
  ...['withdrawal', 'deposit', 'transfer', 'screening', 'balances', 'made-together', 'seals', 'tampering'].map(
    (name) => `services/core-ledger/test/${name}.test.ts`,
  ),
  ...new Bun.Glob('services/message/test/*.test.ts').scanSync({ cwd: root }),
  ...new Bun.Glob('services/*/test/lanes.test.ts').scanSync({ cwd: root }),
]

describe.skipIf(folder === null)('on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(folder as string)
  })
  afterAll(() => server.stop())

  test('a service and the ledger’s ways of money do what they do with files', async () => {
    const report = join(mkdtempSync(join(tempDir(), 'report-')), 'report.xml')
    const chosen = [...new Set(onServer(files))].map((file) => `./${file}`)
    const options = ['--timeout=180000', '--reporter=junit', `--reporter-outfile=${report}`]
    const run = Bun.spawn([process.execPath, '--no-env-file', 'test', ...options, ...chosen], {
      cwd: root,
      env: { ...process.env, TEST_DATABASE_URL: server.url },
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const said = await run.stderr.text()
    const found = await Bun.file(report)
      .exists()
      .then((isThere) => (isThere ? readFileSync(report, 'utf8') : ''))
    if (outcomesIn(found).length < 150) throw new Error(said.slice(-5000))
    expect(unexpectedIn(found)).toEqual([])
  })
})
