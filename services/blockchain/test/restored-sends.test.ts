import { afterEach, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { runRaw } from '@bursar/testing/service'
import { holdOpenSends, readRestoredSends } from '../src/sends/restored-sends'
import { startSending } from '../src/sends/sending'
import { hot, testBlockchain } from './harness'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

test('a send from before a restore is released by the commit of its new attempt, and not by one that fails', async () => {
  const own = await testBlockchain({ workers: false })
  ends.push(() => own.stop())
  const { store } = own.deps
  await own.payIn(hot, '10')
  const { id } = await own.send({})
  await store.commit((tx) => holdOpenSends(tx, new Date()))
  const restored = await readRestoredSends(store.read)
  const run = (statement: string) => store.commit((tx) => runRaw(tx, statement))
  await run(`create trigger full before insert on attempts begin select raise(abort, 'No attempt is taken'); end`)
  const sending = startSending({ ...own.deps, restored })
  ends.push(() => sending.stop())
  await until(async () => (await own.get(`/sends/${id}`)).body.failures > 0)
  expect((await own.get(`/sends/${id}`)).body.status).toBe('accepted')
  expect(restored.has(id)).toBe(true)
  await run('drop trigger full')
  await own.reached(id, 'confirmed')
  expect(restored.has(id)).toBe(false)
  expect((await readRestoredSends(store.read)).has(id)).toBe(false)
})
