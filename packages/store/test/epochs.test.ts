// An epoch belongs to the database: it ends when that is set back, and not with a start.
import { expect, test } from 'bun:test'
import { beginRun, markChanged, noteRestored, type OpenStore } from '../src/index'
import { enterEpoch, epochOf } from '../src/replica/changes'
import { serverUrl, tempFile, tempStore } from './harness'

const marked = async (store: OpenStore) => (await store.commit((tx) => markChanged(tx, 'thing', 'a'))).epoch

test('each start goes on with the epoch of the first one', async () => {
  const store = await tempStore()
  for (const atMs of [5000, 6000, 4000]) {
    await beginRun(store, null, new Date(atMs))
    expect([await epochOf(store.read), await marked(store)]).toEqual([5000, 5000])
  }
})

test('a database that says that it was restored begins one, once', async () => {
  const store = await tempStore()
  await beginRun(store, null, new Date(5000))
  await store.commit((tx) => noteRestored(tx, new Date(5500)))
  const epochs: number[] = []
  for (const atMs of [6000, 7000]) {
    await beginRun(store, null, new Date(atMs))
    epochs.push(await marked(store))
  }
  expect(epochs).toEqual([6000, 6000])
})

test.skipIf(serverUrl === null)('instances that start together have one epoch, and follow the next one', async () => {
  const file = tempFile()
  const stores = [await tempStore({ file }), await tempStore({ file }), await tempStore({ file })]
  await Promise.all(stores.map((store, i) => beginRun(store, null, new Date(5000 + i))))
  const [epoch, ...others] = await Promise.all(stores.map(marked))
  expect(epoch).toBeGreaterThanOrEqual(5000)
  expect(others).toEqual([epoch, epoch] as number[])
  // One that runs on has not begun it.
  await stores[0]?.commit((tx) => enterEpoch(tx, 9000))
  expect(await Promise.all(stores.map(marked))).toEqual([9000, 9000, 9000])
})
