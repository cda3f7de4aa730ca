import { expect, test } from 'bun:test'
import { byKey, deleteBy, insertInto, rowBy, updateBy, upsertInto } from '../src/index'
import { parts, things } from './fixture/things.table'
import { tempStore } from './harness'

test('rows are inserted, found, changed and deleted by a column', async () => {
  const store = await tempStore()
  const partsOf = byKey(parts, 'thingId')
  const thing = {
    ...{ id: 'a', label: 'old', count: 1, ratio: 0.5, isOpen: true, isKnown: null, data: { deep: [1] }, extra: null },
    ...{ createdAt: new Date(5), endedAt: null, assetCode: 'ETH', amount: 10n ** 30n, fee: null },
  }
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
