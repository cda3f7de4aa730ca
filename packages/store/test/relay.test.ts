import { describe, expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { fakeTimers } from '@bursar/testing'
import { openStore } from '../src/index'
import { outbox } from '../src/schema'
import { makeThing, migrations, runRaw, tempFile, tempStore, until } from './harness'
import { fakeBroker, makeAll, names, outboxSize, relayOf } from './relay-harness'

describe('publishing', () => {
  test('events go out in the order of their commits, in batches, one publish at a time', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    const relay = relayOf(store, broker, { batch: 50 })
    const ids = names(400)
    await makeAll(store, ids)
    expect(await relay.flush(60_000)).toBe(true)
    expect(broker.things()).toEqual(ids)
    expect(Math.max(...broker.sizes)).toBe(50)
    expect(broker.mostAtOnce).toBe(1)
    expect(relay.depth()).toBe(0)
  })

  test('what is published is the stored envelope', async () => {
    const store = await tempStore({ requestId: () => 'r1' })
    const broker = fakeBroker()
    const relay = relayOf(store, broker)
    const envelope = await store.commit((tx) => makeThing(tx, 'a'))
    await relay.flush(60_000)
    expect(envelope).toMatchObject({
      name: 'store-test.thing.made',
      type: 'THING_MADE',
      requestId: 'r1',
      service: 'store-test',
      data: { thingId: 'a' },
    })
    expect(broker.taken).toEqual([envelope])
    const [row] = await store.read.select().from(outbox)
    expect(row).toMatchObject({ eventId: envelope.id, name: envelope.name, envelope: JSON.stringify(envelope) })
  })

  test('while the broker is away commits succeed, and it gets everything when it is back', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    broker.away = true
    const lines: string[] = []
    const keep = (_: object, message: string) => lines.push(message)
    const relay = relayOf(store, broker, { batch: 7 }, { ...silentLog, warn: keep, info: keep })
    await makeAll(store, names(20))
    await until('some attempts', () => broker.attempts > 4)
    expect(await relay.flush(10)).toBe(false)
    expect(relay.depth()).toBe(20)
    broker.away = false
    expect(await relay.flush(60_000)).toBe(true)
    expect(broker.things()).toEqual(names(20))
    expect(lines).toEqual(['Events could not be published and will be retried', 'Events are published again'])
  })

  test('events that are committed while others go out come after them, in order', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    broker.away = true
    const relay = relayOf(store, broker, { batch: 10 })
    await makeAll(store, names(300, 'a'))
    await makeAll(store, names(50, 'b'))
    await until('an attempt', () => broker.attempts > 0)
    expect(relay.depth()).toBe(350)
    broker.away = false
    const during = names(500, 'c')
    for (let from = 0; from < during.length; from += 20) await makeAll(store, during.slice(from, from + 20))
    expect(await relay.flush(60_000)).toBe(true)
    expect(broker.things()).toEqual([...names(300, 'a'), ...names(50, 'b'), ...during])
    await makeAll(store, ['z'])
    expect(await relay.flush(60_000)).toBe(true)
    expect(broker.things().at(-1)).toBe('z')
  })

  test('an outbox that cannot be read is tried again', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    await makeAll(store, ['a'])
    await store.commit(async (tx) => runRaw(tx, 'ALTER TABLE outbox RENAME TO mislaid'))
    const relay = relayOf(store, broker)
    await until('the complaint', () => relay.problem() !== null)
    expect(await relay.flush(20)).toBe(false)
    await store.commit(async (tx) => runRaw(tx, 'ALTER TABLE mislaid RENAME TO outbox'))
    expect(await relay.flush(60_000)).toBe(true)
    expect(broker.things()).toEqual(['a'])
    expect(relay.problem()).toBeNull()
  })

  test('a new start sends what the outbox still holds, and then what is new', async () => {
    const file = tempFile()
    const first = await openStore({ service: 'store-test', file, migrations })
    await makeAll(first, names(30))
    await first.close()
    const store = await tempStore({ file })
    const broker = fakeBroker()
    const relay = relayOf(store, broker, { batch: 10 })
    await makeAll(store, ['new'])
    expect(await relay.flush(60_000)).toBe(true)
    expect(broker.things()).toEqual([...names(30), 'new'])
  })
})

describe('the outbox afterwards', () => {
  test('published events stay a while and are then deleted, unpublished ones stay', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    const clock = fakeTimers()
    const relay = relayOf(store, broker, { keepMs: 150, batch: 10, clock })
    await makeAll(store, names(35))
    await relay.flush(60_000)
    await clock.advance(149)
    expect(await outboxSize(store)).toBe(35)
    broker.away = true
    await makeAll(store, ['late'])
    await clock.advance(50)
    expect(await outboxSize(store)).toBe(1)
    const [row] = await store.read.select().from(outbox)
    expect(row?.envelope).toContain('late')
  })

  test('resend publishes again what it still holds, and deletes that later', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    const clock = fakeTimers()
    const relay = relayOf(store, broker, { keepMs: 200, batch: 10, spacingMs: 0, clock })
    await makeAll(store, names(25))
    await relay.flush(60_000)
    broker.reconnect()
    expect(relay.depth()).toBe(0)
    await until('all of it twice', () => broker.taken.length === 50)
    expect(broker.things()).toEqual([...names(25), ...names(25)])
    await clock.advance(250)
    expect(await outboxSize(store)).toBe(0)
    broker.reconnect()
    await makeAll(store, ['z'])
    await relay.flush(60_000)
    expect(broker.things().slice(50)).toEqual(['z'])
  })

  test('resend while a publish is under way loses nothing', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    const gate = Promise.withResolvers<void>()
    broker.held = gate.promise
    const relay = relayOf(store, broker, { batch: 10, keepMs: 200 })
    await makeAll(store, names(25))
    await until('the publish', () => broker.attempts === 1)
    broker.reconnect()
    broker.held = null
    gate.resolve()
    expect(await relay.flush(60_000)).toBe(true)
    await until('the first batch twice', () => broker.taken.length === 35)
    expect(broker.things()).toEqual([...names(10), ...names(25)])
    await until('the rows to go', async () => (await outboxSize(store)) === 0)
    expect(relay.depth()).toBe(0)
  })
})
