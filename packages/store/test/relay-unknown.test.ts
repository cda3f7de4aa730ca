// After a downgrade the outbox has events that a newer release has emitted, and that this one cannot route.
import { expect, test } from 'bun:test'
import { event, eventCatalogue } from '@bursar/contracts/event'
import { type Log, silentLog } from '@bursar/contracts/log'
import { t } from '@bursar/contracts/schema'
import { emit, type OpenStore } from '../src/index'
import { beat } from '../src/outbox/instances'
import { makeThing, serverUrl, tempFile, tempStore, until } from './harness'
import { fakeBroker, makeAll, outboxSize, relayOf } from './relay-harness'

const fields = t.Object({ thingId: t.String() })
const Newer = event('store-test.thing.newer', fields, { consumers: [] })
const emitNewer = (store: OpenStore, ...ids: string[]) =>
  store.commit(async (tx) => {
    for (const thingId of ids) await emit(tx, Newer, { thingId })
  })

/** Runs the work as a release that does not know the event. */
async function before(work: () => Promise<void>) {
  eventCatalogue.delete(Newer.name)
  await work().finally(() => eventCatalogue.set(Newer.name, Newer as never))
}

function told() {
  const lines: [fields: object, message: string][] = []
  const log: Log = { ...silentLog, warn: (fields: object, message: string) => void lines.push([fields, message]) }
  return { lines, log }
}

/** A broker that refuses what it cannot route, as the bus does. */
const newBroker = () => {
  const broker = fakeBroker()
  const { publish } = broker
  broker.publish = async (events) => {
    const unknown = events.find(({ name }) => !eventCatalogue.has(name))
    await publish(events.filter((each) => each !== unknown))
    if (unknown) throw new Error(`Not in the catalogue of events: ${unknown.name}`)
  }
  return broker
}

test('events of a newer release stay in the outbox while the others go out, also after a reconnect', async () => {
  const store = await tempStore()
  await makeAll(store, ['a'])
  await emitNewer(store, 'n1', 'n2', 'n3')
  await makeAll(store, ['b'])
  await emitNewer(store, 'n4')
  const { lines, log } = told()
  await before(async () => {
    const broker = newBroker()
    const relay = relayOf(store, broker, { batch: 2, keepMs: 5 }, log)
    expect(await relay.flush(60_000)).toBe(true)
    expect(broker.things()).toEqual(['a', 'b'])
    await makeAll(store, ['c', 'd', 'e'])
    expect(await relay.flush(60_000)).toBe(true)
    expect([broker.things(), relay.depth(), relay.published()]).toEqual([['a', 'b', 'c', 'd', 'e'], 4, 5])
    await until('published ones are deleted', async () => (await outboxSize(store)) === 4)
    broker.lose()
    await makeAll(store, ['f'])
    broker.reconnect()
    expect(await relay.flush(60_000)).toBe(true)
    expect([broker.things().at(-1), relay.depth()]).toEqual(['f', 4])
    expect(relay.problem()).toBe(`Not in the catalogue of events: ${Newer.name}`)
    await until('published ones are deleted', async () => (await outboxSize(store)) === 4)
    await relay.stop()
  })
  expect(lines).toEqual([
    [{ event: Newer.name }, 'Events that this release does not know stay in the outbox, for the newer one'],
  ])
  const broker = newBroker()
  const relay = relayOf(store, broker)
  expect(await relay.flush(60_000)).toBe(true)
  expect([broker.things(), relay.depth(), relay.problem()]).toEqual([['n1', 'n2', 'n3', 'n4'], 0, null])
})

test('a page of events of a newer release that is read again is counted once', async () => {
  const store = await tempStore()
  await emitNewer(store, 'n1', 'n2')
  await makeAll(store, ['a'])
  await before(async () => {
    const broker = newBroker()
    broker.away = true
    const relay = relayOf(store, broker)
    await until('some attempts', () => broker.attempts > 3)
    expect(relay.depth()).toBe(3)
    broker.away = false
    expect(await relay.flush(60_000)).toBe(true)
    expect([broker.things(), relay.depth()]).toEqual([['a'], 2])
  })
})

test.skipIf(serverUrl === null)('an instance that keeps some is not told of them at each sign of life', async () => {
  const store = await tempStore({ file: tempFile() })
  await emitNewer(store, 'n1', 'n2')
  let found = 0
  const options = { store, isEmpty: () => true, found: () => void found++ }
  await beat({ ...options, kept: () => 2 })
  expect(found).toBe(0)
  await store.commit((tx) => makeThing(tx, 'a'))
  await beat({ ...options, kept: () => 2 })
  expect(found).toBe(1)
})

test('events of a newer release that were passed over count once while others are under way', async () => {
  const store = await tempStore()
  await emitNewer(store, 'n1', 'n2')
  await makeAll(store, ['a', 'b', 'c'])
  await before(async () => {
    const broker = newBroker()
    const answer = Promise.withResolvers<void>()
    broker.held = answer.promise
    const relay = relayOf(store, broker, { batch: 2 })
    await until('the first of them is published', () => broker.attempts === 1)
    expect(relay.depth()).toBe(5)
    answer.resolve()
    expect(await relay.flush(60_000)).toBe(true)
    expect([broker.things(), relay.depth()]).toEqual([['a', 'b', 'c'], 2])
  })
})
