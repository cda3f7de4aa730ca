import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { type PostgresServer, postgresPrograms, startPostgres } from '@bursar/testing/postgres'

// The same tables and statements serve SQLite and PostgreSQL: each statement that a service declares must be one that a
// PostgreSQL server takes. Debian's postgresql has the programs.
const folder = postgresPrograms()

describe.skipIf(folder === null)('the statements of', () => {
  let server: PostgresServer
  let common: number
  let prepared: Record<string, { statements: number; refused: { text: string; why: string }[] }>
  let pages: string[]

  beforeAll(async () => {
    server = await startPostgres(folder as string)
    // For all services in one process: most of what each of sixteen would load is the same.
    const run = Bun.spawn([process.execPath, join(import.meta.dir, 'prepare-all.ts')], {
      env: { ...process.env, TEST_DATABASE_URL: server.url },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [said, problem] = await Promise.all([run.stdout.text(), run.stderr.text()])
    if (!said) throw new Error(problem)
    ;({ common, prepared, pages } = JSON.parse(said.trim().split('\n').at(-1) ?? ''))
  })
  afterAll(() => server?.stop())

  test.each(Object.keys(services))('%s are taken by PostgreSQL', (service) => {
    expect(prepared[service]?.refused).toEqual([])
    expect(prepared[service]?.statements).toBeGreaterThan(0)
    expect(common).toBeGreaterThan(40)
  })

  test('pages of the log by request id read an index in its order, and no more than it takes', () => {
    // With and without a filter and dates, in both directions.
    expect(pages).toHaveLength(8)
    for (const plan of pages) {
      expect(plan).toContain('using log_messages_request')
      expect(plan).not.toContain('Sort')
    }
  })
})
