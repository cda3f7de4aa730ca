import { describe, expect, test } from 'bun:test'
import type { Envelope } from '@bursar/contracts/event'
import { receive, sweepStore } from '../src/index'
import { idempotencyKeys, inbox } from '../src/schema'
import { failureOf, insertThing, newThing, tempStore, thingIds } from './harness'

const envelope = (id: string): Envelope => ({
  id,
  name: 'store-test.thing.made',
  type: 'THING_MADE',
  timestamp: new Date(0).toISOString(),
  requestId: null,
  service: 'store-test',
  data: {},
})

describe('receive', () => {
  test('acts once on an event that is delivered many times, also at once', async () => {
    const store = await tempStore()
    let acted = 0
    const deliver = (id: string) =>
      receive(store, envelope(id), async (tx) => {
        acted += 1
        await insertThing(tx).execute(newThing(id))
      })
    const answers = await Promise.all(['a', 'b', 'a', 'a', 'b'].map(deliver))
    expect(answers).toEqual([true, true, false, false, false])
    expect(await deliver('a')).toBe(false)
    expect(await thingIds(store)).toEqual(['a', 'b'])
    expect(acted).toBe(2)
  })

  test('a body that throws leaves no receipt, so that the event may come again', async () => {
    const store = await tempStore()
    const fails = receive(store, envelope('a'), async (tx) => {
      await insertThing(tx).execute(newThing('a'))
      throw new Error('not now')
    })
    expect(await failureOf(fails)).toEqual(new Error('not now'))
    expect(await thingIds(store)).toEqual([])
    expect(await receive(store, envelope('a'), async () => {})).toBe(true)
  })
})

describe('sweeping', () => {
  const now = new Date('2026-03-15T12:00:00Z')
  const before = (ms: number) => new Date(now.getTime() - ms)
  const days = 24 * 60 * 60 * 1000

  test('receipts go after 14 days, however many', async () => {
    const store = await tempStore()
    const old = Array.from({ length: 1203 }, (_, n) => ({ eventId: `old${n}`, receivedAt: before(14 * days + 1 + n) }))
    await store.commit(async (tx) => {
      await tx.insert(inbox).values(old)
      await tx.insert(inbox).values({ eventId: 'kept', receivedAt: before(14 * days) })
    })
    await sweepStore(store, now)
    expect(await store.read.select({ id: inbox.eventId }).from(inbox)).toEqual([{ id: 'kept' }])
  })

  test('idempotency keys go when they expire, and those without an end stay', async () => {
    const store = await tempStore()
    const row = { scope: 's', requestHash: 'h', status: 201, body: '{}', headers: null, createdAt: before(days) }
    await store.commit(async (tx) => {
      await tx.insert(idempotencyKeys).values([
        { ...row, key: 'expired', expiresAt: before(1) },
        { ...row, key: 'valid', expiresAt: now },
        { ...row, key: 'for ever', expiresAt: null },
      ])
    })
    await sweepStore(store, now)
    const keys = await store.read.select({ key: idempotencyKeys.key }).from(idempotencyKeys)
    expect(keys.map(({ key }) => key).sort()).toEqual(['for ever', 'valid'])
  })
})
