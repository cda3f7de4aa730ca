import { expect, test } from 'bun:test'
import {
  alsoStoring,
  beginRun,
  markChanged,
  type OpenStore,
  previousRunOf,
  replica,
  replicaPlace,
  setReplicaPlace,
  type Tx,
} from '../src/index'
import { changes } from '../src/schema'
import { copies } from './fixture/copies.table'
import { tempStore } from './harness'

const kept = replica('thing', copies)
const row = (label: string, epoch: number, version: number, id = 'a') => ({ id, label, epoch, version })
const labels = async (store: OpenStore) =>
  (await store.read.select().from(copies)).map(({ id, label }) => `${id}:${label}`)

test('an event is kept when its state is newer: by epoch, then by version', async () => {
  const store = await tempStore()
  const after = async (...rows: ReturnType<typeof row>[]) => {
    await store.commit(async (tx) => {
      await tx.delete(copies)
      for (const each of rows) await kept.upsert(tx, each)
    })
    return await labels(store)
  }
  expect(await after(row('old', 1, 1), row('new', 1, 2))).toEqual(['a:new'])
  expect(await after(row('new', 1, 2), row('old', 1, 1))).toEqual(['a:new'])
  expect(await after(row('new', 1, 2), row('same', 1, 2))).toEqual(['a:new'])
  expect(await after(row('old', 1, 9), row('new', 2, 1))).toEqual(['a:new'])
  expect(await after(row('new', 2, 1), row('old', 1, 9))).toEqual(['a:new'])
  expect(await after(row('one', 1, 1, 'b'), row('other', 1, 1, 'c'))).toEqual(['b:one', 'c:other'])
})

test('what the owner restates counts also when its epoch is lower, but no older version of the same epoch does', async () => {
  const store = await tempStore()
  const restated = async (first: ReturnType<typeof row>, second: ReturnType<typeof row>) => {
    await store.commit(async (tx) => {
      await tx.delete(copies)
      await kept.upsert(tx, first)
      await kept.restate(tx, second)
    })
    return await labels(store)
  }
  expect(await restated(row('lost', 5, 9), row('restored', 4, 2))).toEqual(['a:restored'])
  expect(await restated(row('event', 5, 9), row('page read before', 5, 8))).toEqual(['a:event'])
  expect(await restated(row('old', 5, 8), row('new', 5, 9))).toEqual(['a:new'])
})

test('what a whole pull has not restated is deleted', async () => {
  const store = await tempStore()
  await store.commit(async (tx) => {
    await kept.upsert(tx, row('gone', 1, 1, 'a'))
    await kept.upsert(tx, row('there', 2, 1, 'b'))
    await kept.deleteUnstated(tx, 2)
  })
  expect(await labels(store)).toEqual(['b:there'])
})

test('what is stored besides is so with each state and deletion, in the same commit', async () => {
  const store = await tempStore()
  const seen: string[] = []
  const also = alsoStoring(
    kept,
    async (tx, { id }) => void seen.push(`${id} stored among ${await count(tx)}`),
    async (tx) => void seen.push(`deleted, and ${await count(tx)} left`),
  )
  const count = async (tx: Tx) => (await tx.select().from(copies)).length
  await store.commit(async (tx) => {
    await also.upsert(tx, row('gone', 1, 1, 'a'))
    await also.restate(tx, row('there', 2, 1, 'b'))
    await also.deleteUnstated(tx, 2)
  })
  expect(seen).toEqual(['a stored among 1', 'b stored among 2', 'deleted, and 1 left'])
  expect(also.kind).toBe('thing')
  await store.commit((tx) => alsoStoring(kept, async () => {}).deleteUnstated(tx, 3))
  expect(await labels(store)).toEqual([])
})

test('nothing more is written for a late event of what its owner has lost', async () => {
  const store = await tempStore()
  const seen: string[] = []
  const also = alsoStoring(kept, async (_, { label }) => void seen.push(label))
  await store.commit(async (tx) => {
    await setReplicaPlace(tx, { kind: 'thing', epoch: 2, after: 0 })
    await also.upsert(tx, row('lost', 1, 9, 'a'))
    await also.upsert(tx, row('there', 2, 1, 'b'))
  })
  expect(seen).toEqual(['there'])
})

test('the place of a pull is kept by kind', async () => {
  const store = await tempStore()
  expect(await replicaPlace(store.read, 'thing')).toEqual({ kind: 'thing', epoch: 0, after: 0 })
  await store.commit(async (tx) => {
    await setReplicaPlace(tx, { kind: 'thing', epoch: 7, after: 3 })
    await setReplicaPlace(tx, { kind: 'other', epoch: 1, after: 1 })
    await setReplicaPlace(tx, { kind: 'thing', epoch: 7, after: 5 })
  })
  expect(await replicaPlace(store.read, 'thing')).toEqual({ kind: 'thing', epoch: 7, after: 5 })
})

test('a record that changes again has one change, with a higher version', async () => {
  const store = await tempStore()
  await beginRun(store, null, new Date(1000))
  const mark = (id: string) => store.commit((tx) => markChanged(tx, 'thing', id))
  const [first, other, second] = [await mark('a'), await mark('b'), await mark('a')]
  expect([first.epoch, other.epoch, second.epoch]).toEqual([1000, 1000, 1000])
  expect(second.version).toBeGreaterThan(other.version)
  const rows = await store.read.select().from(changes)
  expect(rows.map(({ recordId, seq }) => [recordId, seq])).toEqual([
    ['b', other.version],
    ['a', second.version],
  ])
})

test('each start begins a higher run, also when the clock was set back', async () => {
  const store = await tempStore()
  expect(await previousRunOf(store.read)).toBe(0)
  await beginRun(store, null, new Date(5000))
  expect(await previousRunOf(store.read)).toBe(0)
  await beginRun(store, null, new Date(1000))
  expect(await previousRunOf(store.read)).toBe(5000)
  await beginRun(store, null, new Date(1000))
  expect(await previousRunOf(store.read)).toBe(5001)
})

test('a late event of an epoch before the pulled one brings nothing back', async () => {
  const store = await tempStore()
  await store.commit(async (tx) => {
    await setReplicaPlace(tx, { kind: 'thing', epoch: 5, after: 9 })
    await kept.upsert(tx, row('lost', 4, 99))
    await kept.upsert(tx, row('of now', 5, 1, 'b'))
  })
  expect(await labels(store)).toEqual(['b:of now'])
})
