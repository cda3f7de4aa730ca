import { expect, test } from 'bun:test'
import { event } from '@bursar/contracts/event'
import { t } from '@bursar/contracts/schema'
import { emit, type OpenStore } from '../src/index'
import { outboxCursor } from '../src/outbox/outbox-cursor'
import { tempStore } from './harness'
import { fakeBroker, outboxSize, relayOf } from './relay-harness'

const LargeMade = event('store-test.large.made', t.Object({ thingId: t.String(), text: t.String() }), { consumers: [] })

const make = (store: OpenStore, thingId: string, bytes: number) =>
  store.commit((tx) => emit(tx, LargeMade, { thingId, text: 'x'.repeat(bytes) }))

// Five hundred of a megabyte, as many as wait after a short outage, are not published within the time that a broker has. They were
// tried again together, for ever, and nothing behind them went out.
test('a publish has two mebibytes, or one event, and the next one follows it', async () => {
  const store = await tempStore()
  const broker = fakeBroker()
  broker.lose()
  const relay = relayOf(store, broker)
  const sizes = [900_000, 900_000, 900_000, 3_000_000, 900_000, 10, 10, 10, 900_000]
  for (const [n, bytes] of sizes.entries()) await make(store, `t${n}`, bytes)
  broker.reconnect()
  expect(await relay.flush(60_000)).toBe(true)
  expect(broker.sizes).toEqual([2, 1, 1, 5])
  expect(broker.things()).toEqual(sizes.map((_, n) => `t${n}`))
  expect([relay.depth(), await outboxSize(store)]).toEqual([0, sizes.length])
})

test('what was refused is tried again in the same parts', async () => {
  const store = await tempStore()
  const broker = fakeBroker()
  const refusals = [true, false, true, true, false]
  const publish: typeof broker.publish = async (events) => {
    broker.away = refusals.shift() ?? false
    await broker.publish(events)
  }
  const relay = relayOf(store, { ...broker, publish })
  for (let n = 0; n < 5; n++) await make(store, `t${n}`, 900_000)
  expect(await relay.flush(60_000)).toBe(true)
  expect(Math.max(...broker.sizes)).toBe(2)
  expect(broker.things()).toEqual(['t0', 't1', 't2', 't3', 't4'])
})

test('a page with nothing in it is one statement', async () => {
  const store = await tempStore()
  const cursor = outboxCursor(store, { isPublished: () => false, isKnown: () => true })
  // The first page counts what waits.
  expect(await cursor.next(10)).toEqual([])
  const before = store.counts().statements
  expect(await cursor.next(10)).toEqual([])
  expect(store.counts().statements - before).toBe(1)
})
