import { expect, test } from 'bun:test'
import type { OutboxEvent } from '../src/engine/writers'
import type { OpenStore } from '../src/index'
import { outbox } from '../src/schema'
import { ThingMade, tempStore, until } from './harness'
import { fakeBroker, outboxSize, relayOf } from './relay-harness'

/** On a database that other machines write to, a commit may become visible after commits with a higher `seq`. */
const eventAt = (seq: number): OutboxEvent => ({
  seq,
  envelope: {
    id: `event-${seq}`,
    name: ThingMade.name,
    type: ThingMade.type,
    timestamp: '2026-01-01T00:00:00.000Z',
    requestId: null,
    service: 'store-test',
    data: { thingId: String(seq) },
  },
})

async function insert(store: OpenStore, events: OutboxEvent[]) {
  await store.commit(async (tx) => {
    for (const { seq, envelope } of events) {
      const row = { seq, eventId: envelope.id, name: envelope.name, createdAt: new Date(0), instance: store.instance }
      await tx.insert(outbox).values({ ...row, envelope: JSON.stringify(envelope) })
    }
  })
}

/** A store whose commits a test announces by itself, and that calls `during` while a page of the outbox is read. */
async function stagedStore() {
  const store = await tempStore()
  const staged = { during: () => {}, announce: (_: readonly OutboxEvent[]) => {} }
  const view: OpenStore = {
    ...store,
    get read() {
      // After the rows are read and before the relay sees them.
      queueMicrotask(() => staged.during())
      return store.read
    },
    onEvents(announce) {
      staged.announce = announce
      return () => {}
    },
  }
  return { store, view, staged }
}

test('an event that is committed after one with a higher seq is published, and deleted only then', async () => {
  const { store, view, staged } = await stagedStore()
  const broker = fakeBroker()
  await insert(store, [10, 20, 30].map(eventAt))
  const relay = relayOf(view, broker, { keepMs: 50 })
  expect(await relay.flush(60_000)).toBe(true)
  broker.away = true
  await insert(store, [40, 50, 60].map(eventAt))
  staged.announce([eventAt(40), eventAt(50), eventAt(60)])
  // With a `seq` below all that was published.
  await insert(store, [eventAt(5)])
  staged.announce([eventAt(5)])
  broker.away = false
  expect(await relay.flush(60_000)).toBe(true)
  expect(broker.things()).toEqual(['10', '20', '30', '40', '50', '60', '5'])
  await until('the rows to go', async () => (await outboxSize(store)) === 0)
})

test('a row with a lower seq than the published ones stays while it is not published itself', async () => {
  const { store, view } = await stagedStore()
  const broker = fakeBroker()
  await insert(store, [10, 20].map(eventAt))
  const relay = relayOf(view, broker, { keepMs: 50 })
  expect(await relay.flush(60_000)).toBe(true)
  await insert(store, [eventAt(15)])
  await until('the published rows to go', async () => (await outboxSize(store)) === 1)
  const [row] = await store.read.select().from(outbox)
  expect(row?.seq).toBe(15)
})

test('what is committed while the last page is read is published after it', async () => {
  const { store, view, staged } = await stagedStore()
  const broker = fakeBroker()
  const gate = Promise.withResolvers<void>()
  broker.held = gate.promise
  await insert(store, [10, 20].map(eventAt))
  staged.during = () => {
    staged.during = () => {}
    staged.announce([eventAt(30)])
  }
  const relay = relayOf(view, broker, { batch: 5 })
  await until('the publish', () => broker.attempts === 1)
  await insert(store, [eventAt(30)])
  gate.resolve()
  expect(await relay.flush(60_000)).toBe(true)
  expect(broker.things()).toEqual(['10', '20', '30'])
})

test('an event that is committed while a page with a higher seq is read is published after it', async () => {
  const { store, view, staged } = await stagedStore()
  const broker = fakeBroker()
  const gate = Promise.withResolvers<void>()
  broker.held = gate.promise
  await insert(store, [10, 30].map(eventAt))
  let reads = 0
  staged.during = () => {
    if (++reads === 2) staged.announce([eventAt(20)])
  }
  const relay = relayOf(view, broker)
  await until('the publish', () => broker.attempts === 1)
  await insert(store, [eventAt(20)])
  gate.resolve()
  expect(await relay.flush(60_000)).toBe(true)
  expect(broker.things()).toEqual(['10', '30', '20'])
})

test('a reconnect while a page is read starts again at the first event, in order', async () => {
  const { store, view, staged } = await stagedStore()
  const broker = fakeBroker()
  await insert(store, [10, 20, 30, 40].map(eventAt))
  let reads = 0
  staged.during = () => {
    // The first page is counted, measured and read, the second is under way.
    if (++reads === 5) broker.reconnect()
  }
  const relay = relayOf(view, broker, { batch: 2 })
  expect(await relay.flush(60_000)).toBe(true)
  expect(broker.things()).toEqual(['10', '20', '10', '20', '30', '40'])
})

test('a reconnect while events are in flight starts again at the first event, also when they are refused', async () => {
  const { store, view, staged } = await stagedStore()
  const broker = fakeBroker()
  await insert(store, [10, 20].map(eventAt))
  const relay = relayOf(view, broker)
  expect(await relay.flush(60_000)).toBe(true)
  await insert(store, [eventAt(30)])
  broker.away = true
  const gate = Promise.withResolvers<void>()
  broker.held = gate.promise
  staged.announce([eventAt(30)])
  await until('the publish', () => broker.attempts === 2)
  broker.reconnect()
  broker.away = true
  gate.resolve()
  await until('the next attempt', () => broker.attempts > 2)
  broker.away = false
  expect(await relay.flush(60_000)).toBe(true)
  expect(broker.things()).toEqual(['10', '20', '10', '20', '30'])
})

test('an event that was counted before it was announced is published once, and the depth is right in the end', async () => {
  const { store, view, staged } = await stagedStore()
  const broker = fakeBroker()
  await insert(store, [10, 20].map(eventAt))
  let reads = 0
  staged.during = () => {
    // The first page: its rows are counted before it is read.
    if (++reads === 2) staged.announce([eventAt(20)])
  }
  const relay = relayOf(view, broker)
  expect(await relay.flush(60_000)).toBe(true)
  expect(broker.things()).toEqual(['10', '20'])
  expect(relay.depth()).toBe(0)
})
