import { join } from 'node:path'
import { openStore } from '@bursar/store'
import { effects } from './fixture/fault.table'

/** Commits ten bodies at a time for ever, then asks for the store's health and reads, and says how each went. */
const [file = ''] = process.argv.slice(2)
const migrations = join(import.meta.dir, 'fixture/migrations')
const store = await openStore({ service: 'account', file, migrations })
const result = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: Error) => `${error.name}: ${error.message}`,
  )

for (let n = 0; ; n += 10) {
  const commits = Array.from({ length: 10 }, (_, i) =>
    store.commit(async (tx) => {
      await tx.insert(effects).values({ n: n + i })
    }),
  )
  const commit = [...new Set(await Promise.all(commits.map(result)))].join(', ')
  const health = await result(store.healthy())
  const rows = await store.read.$count(effects)
  process.stdout.write(`${JSON.stringify({ commit, health, rows })}\n`)
  await Bun.sleep(1)
}
