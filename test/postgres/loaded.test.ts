import { expect, test } from 'bun:test'
import { join } from 'node:path'

// What a service with files does not use would cost each of sixteen processes memory. (Drizzle itself loads its pg-core.)
const loadedWith = async (env: Record<string, string>): Promise<string[]> => {
  const { TEST_DATABASE_URL: _own, ...others } = process.env
  const service = join(import.meta.dir, '../../services/message/src/service.ts')
  const store = join(import.meta.dir, '../../packages/store/src/statements/server.ts')
  const script = `
    await import(${JSON.stringify(service)})
    const { connectServer } = await import(${JSON.stringify(store)})
    if (process.env.TEST_DATABASE_URL) connectServer({ schema: 'x', run: async () => ({ rows: [], count: 0 }) })
    console.log(JSON.stringify(Object.keys(require.cache)))`
  const run = Bun.spawn([process.execPath, '-e', script], { env: { ...others, ...env }, stdout: 'pipe' })
  return JSON.parse(await run.stdout.text())
}
const ofPostgres = /drizzle-orm\/pg-proxy|store\/src\/postgres\//

test('a service with files loads nothing of PostgreSQL', async () => {
  const loaded = await loadedWith({})
  expect(loaded.filter((path) => /drizzle-orm\/sqlite-core/.test(path))).not.toEqual([])
  expect(loaded.filter((path) => ofPostgres.test(path))).toEqual([])
})

test('one with a server does', async () => {
  const loaded = await loadedWith({ TEST_DATABASE_URL: 'postgres://127.0.0.1/none' })
  expect(loaded.filter((path) => ofPostgres.test(path))).not.toEqual([])
})
