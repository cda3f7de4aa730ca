import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { highestGiven, type KeptKey, keptKeys, type Tx } from '../src/index'
import { changes, idempotencyKeys } from '../src/schema'
import { refuse, runRaw, tempFile, tempStore } from './harness'

const keep = (tx: Tx, key: string, expiresAt: Date | null = null) =>
  tx.insert(idempotencyKeys).values({
    scope: 's',
    key,
    requestHash: `hash of ${key}`,
    status: 200,
    body: '{}',
    createdAt: new Date(0),
    expiresAt,
  })
const names = (keys: KeptKey[]) => keys.map(({ key }) => key)
const all = Number.MAX_SAFE_INTEGER

test('kept keys come in the order of their numbers, without those that expire', async () => {
  const store = await tempStore()
  for (const key of ['z', 'b', 'y', 'a']) {
    await store.commit(async (tx) => void (await keep(tx, key, key === 'y' ? new Date(1) : null)))
  }
  const keys = await keptKeys(store.read, 0, all, 10)
  expect(names(keys)).toEqual(['z', 'b', 'a'])
  expect(keys[0]).toMatchObject({ scope: 's', key: 'z', requestHash: 'hash of z' })
  const second = keys[1]?.seq ?? 0
  expect(names(await keptKeys(store.read, second, second, 10))).toEqual(['b'])
  expect(names(await keptKeys(store.read, 0, all, 2))).toEqual(['z', 'b'])
})

test('no number is given again, though expired keys go away, and VACUUM moves none', async () => {
  const file = tempFile()
  const store = await tempStore({ file })
  await store.commit(async (tx) => {
    await keep(tx, 'day', new Date(1))
    await keep(tx, 'first')
    await keep(tx, 'late day', new Date(1))
  })
  const before = await keptKeys(store.read, 0, all, 10)
  await store.commit(async (tx) => void runRaw(tx, 'DELETE FROM idempotency_keys WHERE expires_at IS NOT NULL'))
  await store.commit(async (tx) => void (await keep(tx, 'second')))
  const [first, second] = await keptKeys(store.read, 0, all, 10)
  expect([first]).toEqual(before)
  expect(second?.seq).toBeGreaterThan(first?.seq ?? all)
  const other = new Database(file)
  other.run('VACUUM')
  other.close()
  expect(await keptKeys(store.read, 0, all, 10)).toEqual([first, second] as KeptKey[])
})

test('the highest key ever given is known after its row is gone; what was rolled back was never given', async () => {
  const store = await tempStore()
  expect(await highestGiven(store.read, changes)).toBe(0)
  const add = (recordId: string) =>
    store.commit(async (tx) => void (await tx.insert(changes).values({ kind: 'thing', recordId })))
  await add('a')
  await add('b')
  await store.commit(async (tx) => void (await tx.delete(changes)))
  expect(await highestGiven(store.read, changes)).toBe(2)
  const failing = store.commit(async (tx) => {
    await tx.insert(changes).values({ kind: 'thing', recordId: 'c' })
    refuse()
  })
  await failing.catch(() => {})
  expect(await highestGiven(store.read, changes)).toBe(2)
})
