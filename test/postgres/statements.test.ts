import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { type PostgresServer, postgresPrograms, startPostgres } from '@bursar/testing/postgres'

// The same tables and statements serve SQLite and PostgreSQL: each statement that a service declares must be one that a
// PostgreSQL server takes. Debian's postgresql has the programs.
const folder = postgresPrograms()

describe.skipIf(folder === null)('the statements of', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(folder as string)
  }, 120_000)
  afterAll(() => server.stop())

  test.each(Object.keys(services))(
    '%s are taken by PostgreSQL',
    async (service) => {
      const run = Bun.spawn([process.execPath, join(import.meta.dir, 'prepare-all.ts'), service], {
        env: { ...process.env, TEST_DATABASE_URL: server.url },
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [said, problem] = await Promise.all([run.stdout.text(), run.stderr.text()])
      if (!said) throw new Error(problem)
      const { statements, refused } = JSON.parse(said.trim().split('\n').at(-1) ?? '')
      expect(refused).toEqual([])
      expect(statements).toBeGreaterThan(40)
    },
    120_000,
  )
})
