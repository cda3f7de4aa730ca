import { beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { silentLog } from '@bursar/contracts/log'
import { changesCall } from '@bursar/contracts/replica'
import { t } from '@bursar/contracts/schema'
import { type OpenStore, openStore, replica, replicaPlace } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { CallError, type Client, followPeer, type Reconciliation, reconcile } from '../src'
import { copies } from './copies.table'

const Thing = t.Object({ id: t.String(), label: t.String() })
type Thing = { id: string; label: string }
const thingChanges = changesCall('wallet', '/internal/things/changes', Thing)
const kept = replica('thing', copies)
const of: Reconciliation<typeof thingChanges.answer, typeof copies.$inferSelect> = {
  changes: thingChanges,
  replica: kept,
  toRow: (thing, mark) => ({ ...thing, ...mark }),
}

/** The owner: its records with the version of their last change. Pages have two items. */
function owner() {
  const state = {
    epoch: 100,
    records: new Map<string, { version: number; record: Thing }>(),
    version: 0,
    asked: [] as number[],
  }
  const client = {
    call: async (_: unknown, { query }: { query: { after: string } }) => {
      const after = Number(query.after)
      state.asked.push(after)
      const all = [...state.records.values()].filter(({ version }) => version > after)
      all.sort((a, b) => a.version - b.version)
      return { epoch: state.epoch, items: all.slice(0, 2), more: all.length > 2 }
    },
  } as unknown as Client
  const set = (id: string, label: string) => {
    state.version += 1
    state.records.set(id, { version: state.version, record: { id, label } })
    return { epoch: state.epoch, version: state.version }
  }
  return { state, client, set }
}

let store: OpenStore
beforeEach(async () => {
  store = await openStore({
    service: 'sample',
    file: join(tempDir(), 'sample.sqlite'),
    migrations: join(import.meta.dir, 'migrations'),
  })
})
const labels = async () => (await store.read.select().from(copies)).map(({ label }) => label).sort()

describe('reconciliation with the owner', () => {
  test('pulls all records page by page, and then only what changed', async () => {
    const { state, client, set } = owner()
    for (const id of ['a', 'b', 'c', 'd', 'e']) set(id, id)
    expect(await reconcile({ store, client }, of)).toBe(5)
    expect(await labels()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(await replicaPlace(store.read, 'thing')).toEqual({ kind: 'thing', epoch: 100, after: 5 })
    state.version = 1000
    set('c', 'c2')
    expect(await reconcile({ store, client }, of)).toBeGreaterThan(0)
    expect(await labels()).toEqual(['a', 'b', 'c2', 'd', 'e'])
    state.asked = []
    await reconcile({ store, client }, of)
    expect(state.asked[0]).toBe(1001)
  })

  test('keeps a newer event over an older page', async () => {
    const { client, set } = owner()
    set('a', 'page')
    await store.commit((tx) => kept.upsert(tx, { id: 'a', label: 'event', epoch: 100, version: 9 }))
    await reconcile({ store, client }, of)
    expect(await labels()).toEqual(['event'])
  })

  test('follows an owner that was restored from an older backup', async () => {
    const { state, client, set } = owner()
    set('a', 'a1')
    set('b', 'b1')
    const backup = new Map(state.records)
    set('a', 'a2')
    set('c', 'lost')
    await reconcile({ store, client }, of)
    state.records = backup
    state.version = 2
    state.epoch = 200
    await reconcile({ store, client }, of)
    expect(await labels()).toEqual(['a1', 'b1'])
    set('b', 'b2')
    await reconcile({ store, client }, of)
    expect(await labels()).toEqual(['a1', 'b2'])
  })

  test('starts over when the owner begins a new epoch in the middle of a pull', async () => {
    const { state, client, set } = owner()
    for (const id of ['a', 'b', 'c', 'd', 'e']) set(id, id)
    const flipping = {
      call: async (call: never, input: never) => {
        if (state.asked.length === 1) {
          state.epoch = 300
          state.records.delete('a')
        }
        return await client.call(call, input)
      },
    } as unknown as Client
    await reconcile({ store, client: flipping }, of)
    expect(await labels()).toEqual(['b', 'c', 'd', 'e'])
    expect(await replicaPlace(store.read, 'thing')).toMatchObject({ epoch: 300 })
  })

  test('keeps its place when the owner tells again of a change before it', async () => {
    const { state, client, set } = owner()
    for (const id of ['a', 'b', 'c']) set(id, id)
    await reconcile({ store, client }, of)
    const old = { version: 1, record: { id: 'a', label: 'old' } }
    const repeating = {
      call: async () => ({ epoch: state.epoch, items: [old], more: false }),
    } as unknown as Client
    await reconcile({ store, client: repeating }, of)
    expect(await replicaPlace(store.read, 'thing')).toEqual({ kind: 'thing', epoch: 100, after: 3 })
    expect(await labels()).toEqual(['a', 'b', 'c'])
  })

  test('leaves all as it is when the owner cannot be asked', async () => {
    const { client, set } = owner()
    set('a', 'a')
    await reconcile({ store, client }, of)
    const away = {
      call: async () => Promise.reject(new CallError('unreachable', 'wallet', 'away')),
    } as unknown as Client
    await expect(reconcile({ store, client: away }, of)).rejects.toThrow('away')
    expect(await labels()).toEqual(['a'])
  })
})

test('a peer that is away at the start alone is no warning', async () => {
  const lines: string[] = []
  const note = (_: object, message: string) => void lines.push(message)
  let attempts = 0
  const loop = followPeer({ log: { ...silentLog, info: note, warn: note } }, 'A test’s work', async () => {
    if (++attempts === 1) throw new CallError('unreachable', 'wallet', 'away')
  })
  await loop.runNow()
  await loop.runNow()
  await loop.stop()
  expect(attempts).toBeGreaterThan(1)
  expect(lines).toEqual([])
})

test('a peer that is away is a warning, once, and one that is back is said too', async () => {
  const lines: string[] = []
  const note = (_: object, message: string) => void lines.push(message)
  const log = { ...silentLog, info: note, warn: note, error: note }
  let isAway = true
  const loop = followPeer({ log }, 'A test’s work', async () => {
    if (isAway) throw new CallError('unreachable', 'wallet', 'away')
  })
  await loop.runNow()
  await loop.runNow()
  isAway = false
  await loop.runNow()
  await loop.runNow()
  await loop.stop()
  expect(lines).toEqual(['A test’s work waits', 'A test’s work goes on'])
})
