import { expect, test } from 'bun:test'
import { asc, desc, inArray } from 'drizzle-orm'
import { anywhere, matches, param, queryAmong, variants } from '../src/index'
import { things } from './fixture/things.table'
import { insertThing, newThing, tempStore } from './harness'

async function storeOf(...labels: string[]) {
  const store = await tempStore()
  await store.commit(async (tx) => {
    for (const [i, label] of labels.entries()) await insertThing(tx).execute(newThing(`id-${i}`, { label }))
  })
  return store
}

test('each form is built once, however often it is asked for', async () => {
  const built: string[] = []
  const labels = variants(({ order, columns }: { order: 'asc' | 'desc'; columns: string[] }) => {
    built.push(`${order} ${columns}`)
    return (db) =>
      db
        .select({ label: things.label })
        .from(things)
        .orderBy(order === 'asc' ? asc(things.label) : desc(things.label))
  })
  const store = await storeOf('a', 'b')
  for (let i = 0; i < 3; i++) {
    expect(await labels({ order: 'asc', columns: ['label'] })(store.read).execute()).toEqual([
      { label: 'a' },
      { label: 'b' },
    ])
    expect(await labels({ order: 'desc', columns: ['label'] })(store.read).execute()).toEqual([
      { label: 'b' },
      { label: 'a' },
    ])
  }
  expect(built).toEqual(['asc label', 'desc label'])
})

test('a list of values finds each of them once', async () => {
  const store = await storeOf('a', 'b', 'c')
  const byIds = queryAmong(
    (ids) => (db) => db.select({ id: things.id }).from(things).where(inArray(things.id, ids)).orderBy(asc(things.id)),
  )
  const find = async (ids: string[]) => (await byIds(store.read, ids)).map(({ id }) => id)
  expect(await find([])).toEqual([])
  expect(await find(['id-1'])).toEqual(['id-1'])
  expect(await find(['id-2', 'nobody', 'id-0'])).toEqual(['id-0', 'id-2'])
})

test('a search takes wildcards for what they are', async () => {
  const store = await storeOf('100% äpfel', '100 birnen', 'a_b', 'a\\b')
  const search = variants(
    () => (db) =>
      db
        .select({ label: things.label })
        .from(things)
        .where(matches(things.label, param('pattern'))),
  )
  const find = async (text: string) =>
    (await search({})(store.read).execute({ pattern: anywhere(text) })).map(({ label }) => label)
  expect(await find('0% Ä')).toEqual(['100% äpfel'])
  expect(await find('_')).toEqual(['a_b'])
  expect(await find('\\')).toEqual(['a\\b'])
})
