import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'

// A table that was changed without `bun run --cwd services/<name> migrations --name what_it_is` would be missed by a start.
const engines = [
  ['SQLite', {}],
  ['PostgreSQL', { TEST_DATABASE_URL: 'postgres://127.0.0.1/none' }],
] as const

test.each(engines)('the migrations of every service make its tables, for %s', async (_, env) => {
  const { TEST_DATABASE_URL: _own, ...others } = process.env
  const run = Bun.spawn([process.execPath, join(import.meta.dir, 'current.ts')], {
    env: { ...others, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, problem] = await Promise.all([run.stdout.text(), run.stderr.text()])
  if (!said) throw new Error(problem)
  const missing = JSON.parse(said.trim().split('\n').at(-1) ?? '')
  expect(missing).toEqual(Object.fromEntries(Object.keys(services).map((name) => [name, []])))
})
