import { expect, test } from 'bun:test'
import {
  byKey,
  deleteBefore,
  deleteBy,
  eq,
  insertInto,
  insertMissing,
  rowBy,
  rowsBy,
  updateBy,
  upsertInto,
} from '../src/index'
import { parts, things } from './fixture/things.table'
import { tempStore } from './harness'

const thing = {
  ...{ id: 'a', label: 'old', count: 1, ratio: 0.5, isOpen: true, isKnown: null, data: { deep: [1] }, extra: null },
  ...{ createdAt: new Date(5), endedAt: null, assetCode: 'ETH', amount: 10n ** 30n, fee: null },
}

test('rows are inserted, found, changed and deleted by a column', async () => {
  const store = await tempStore()
  const partsOf = byKey(parts, 'thingId')
  await store.commit(async (tx) => {
    await insertInto(things)(tx).execute(thing)
    await insertInto(things)(tx).execute({ ...thing, id: 'z', assetCode: 'BTC', amount: 1n })
    await insertInto(parts)(tx).execute({ id: 'p', thingId: 'a' })
    await insertInto(parts)(tx).execute({ id: 'q', thingId: 'a' })
  })
  expect(await byKey(things, 'id')(store.read).execute({ id: 'a' })).toEqual([thing])
  expect(await rowBy(things, 'id')(store.read, 'a')).toEqual(thing)
  expect(await rowBy(things, 'id')(store.read, 'b')).toBeUndefined()
  expect(await byKey(things, 'amount')(store.read).execute({ amount: 10n ** 30n })).toEqual([thing])
  expect(await partsOf(store.read).execute({ thingId: 'a' })).toEqual([
    { id: 'p', thingId: 'a' },
    { id: 'q', thingId: 'a' },
  ])
  await store.commit(async (tx) => {
    const change = updateBy(things, 'id', ['label', 'endedAt'])(tx)
    expect(await change.execute({ id: 'a', label: null, endedAt: new Date(9) })).toBe(1)
    expect(await change.execute({ id: 'b', label: null, endedAt: null })).toBe(0)
    expect(await deleteBy(parts, 'id')(tx).execute({ id: 'p' })).toBe(1)
    expect(await updateBy(parts, 'id')(tx).execute({ id: 'q', thingId: 'z' })).toBe(1)
    expect(await partsOf(tx).execute({ thingId: 'z' })).toEqual([{ id: 'q', thingId: 'z' }])
    const put = upsertInto(parts, ['id'], ['thingId'])(tx)
    await put.execute({ id: 'q', thingId: 'a' })
    await put.execute({ id: 'r', thingId: 'z' })
  })
  expect(await byKey(things, 'id')(store.read).execute({ id: 'a' })).toEqual([
    { ...thing, label: null, endedAt: new Date(9) },
  ])
  expect(await partsOf(store.read).execute({ thingId: 'a' })).toEqual([{ id: 'q', thingId: 'a' }])
  expect(await partsOf(store.read).execute({ thingId: 'z' })).toEqual([{ id: 'r', thingId: 'z' }])
})

test('a row is found if it meets the condition besides, and rows come in the order of another column', async () => {
  const store = await tempStore()
  const open = rowBy(things, 'id', eq(things.isOpen, true))
  const alike = [3, 1, 2].map((count) => ({ ...thing, id: `t${count}`, assetCode: `C${count}`, count }))
  await store.commit(async (tx) => {
    for (const row of [...alike, { ...thing, isOpen: false, label: 'other' }]) await insertInto(things)(tx).execute(row)
  })
  expect(await open(store.read, 't1')).toEqual(alike[1])
  expect(await open(store.read, 'a')).toBeUndefined()
  const found = await rowsBy(things, 'label', 'count')(store.read, 'old')
  expect(found.map(({ id }) => id)).toEqual(['t1', 't2', 't3'])
  expect(await rowsBy(things, 'label', 'count')(store.read, 'none')).toEqual([])
})

test('rows are found, changed and deleted by several columns together', async () => {
  const store = await tempStore()
  const rows = ['a', 'b'].flatMap((label) =>
    [1, 2].map((count) => ({ ...thing, id: `${label}${count}`, assetCode: `${label}${count}`, label, count })),
  )
  const found = rowBy(things, ['label', 'count'])
  await store.commit(async (tx) => {
    for (const row of rows) await insertInto(things)(tx).execute(row)
    const change = updateBy(things, ['label', 'count'], ['ratio'], eq(things.isOpen, true))
    expect(await change(tx).execute({ label: 'a', count: 2, ratio: 9 })).toBe(1)
    expect(await change(tx).execute({ label: 'a', count: 3, ratio: 9 })).toBe(0)
    const remove = deleteBy(things, ['label', 'count'], eq(things.ratio, 0.5))
    expect(await remove(tx).execute({ label: 'a', count: 2 })).toBe(0)
    expect(await remove(tx).execute({ label: 'b', count: 2 })).toBe(1)
  })
  expect(await found(store.read, { label: 'a', count: 2 })).toEqual({ ...thing, ...rows[1], ratio: 9 })
  expect(await found(store.read, { label: 'a', count: 1 })).toEqual(rows[0])
  expect(await found(store.read, { label: 'b', count: 1 })).toEqual(rows[2])
  expect(await found(store.read, { label: 'b', count: 2 })).toBeUndefined()
  const open = rowBy(things, ['label', 'count'], eq(things.isOpen, false))
  expect(await open(store.read, { label: 'a', count: 1 })).toBeUndefined()
})

test('a row whose key is taken is neither inserted nor counted', async () => {
  const store = await tempStore()
  const insert = insertMissing(things)
  expect(await store.commit((tx) => insert(tx, [thing]))).toBe(1)
  expect(await store.commit((tx) => insert(tx, [{ ...thing, label: 'new' }]))).toBe(0)
  const more = ['b', 'a', 'c'].map((id) => ({ ...thing, id, assetCode: id, label: 'new' }))
  expect(await store.commit((tx) => insert(tx, more))).toBe(2)
  expect(await rowBy(things, 'id')(store.read, 'a')).toEqual(thing)
})

test('rows with an earlier time are deleted and counted, and no others', async () => {
  const store = await tempStore()
  const rows = [4, 5, 6].map((ms) => ({ ...thing, id: `t${ms}`, assetCode: `C${ms}`, createdAt: new Date(ms) }))
  await store.commit((tx) => insertMissing(things)(tx, rows))
  expect(await store.commit((tx) => deleteBefore(things, 'createdAt')(tx, new Date(5)))).toBe(1)
  expect(await rowBy(things, 'id')(store.read, 't4')).toBeUndefined()
  expect(await rowBy(things, 'id')(store.read, 't5')).toEqual(rows[1])
})
