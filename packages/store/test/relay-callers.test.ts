import { describe, expect, test } from 'bun:test'
import { type Log, silentLog } from '@bursar/contracts/log'
import { fakeTimers } from '@bursar/testing'
import { NotDeliveredError, openStore, type RelayTuning, type Tx } from '../src/index'
import { failureOf, makeAwaited, migrations, refuse, runRaw, tempFile, tempStore, thingIds, until } from './harness'
import { fakeBroker, makeAll, names, outboxSize, relayOf } from './relay-harness'

async function setUp(tuning: Partial<RelayTuning> = {}, log: Log = silentLog) {
  const store = await tempStore()
  const broker = fakeBroker()
  const relay = relayOf(store, broker, { retryMs: 60_000, longestRetryMs: 60_000, ...tuning }, log)
  const make = (id: string) => store.commit((tx) => makeAwaited(tx, id))
  const unmake = (id: string) => async (tx: Tx) => runRaw(tx, `DELETE FROM things WHERE id = '${id}'`)
  return { store, broker, relay, make, unmake }
}

describe('an event that its caller delivers', () => {
  test('is published once, and deleted later', async () => {
    const clock = fakeTimers()
    const { store, broker, relay, make } = await setUp({ keepMs: 50, clock })
    await relay.deliver(await make('a'))
    expect(broker.things()).toEqual(['a'])
    expect(relay.depth()).toBe(0)
    await clock.advance(49)
    expect(await outboxSize(store)).toBe(1)
    await makeAll(store, ['b'])
    await until('the other', () => broker.taken.length === 2)
    await clock.advance(100)
    expect(await outboxSize(store)).toBe(0)
    expect(broker.things()).toEqual(['a', 'b'])
  })

  test('is left alone by the relay until then, and counts as one that waits', async () => {
    const { store, broker, relay, make } = await setUp()
    const event = await make('a')
    await makeAll(store, ['b'])
    expect(relay.depth()).toBe(2)
    expect(await relay.flush(60_000)).toBe(true)
    broker.reconnect()
    await until('the other again', () => broker.taken.length === 2)
    expect(broker.things()).toEqual(['b', 'b'])
    expect(relay.depth()).toBe(1)
    const { attempts } = broker
    broker.reconnect()
    broker.away = true
    await until('a refusal', () => broker.attempts > attempts && relay.problem() !== null)
    expect(relay.depth()).toBe(2)
    broker.reconnect()
    await until('the other once more', () => broker.taken.length === 3)
    await relay.deliver(event)
    expect(broker.things()).toEqual(['b', 'b', 'b', 'a'])
    expect(relay.depth()).toBe(0)
  })

  test('is refused as soon as the broker refuses it, and tried at once while the relay sits out its pause', async () => {
    const { store, broker, relay, make } = await setUp({ batch: 2 })
    broker.away = true
    await makeAll(store, names(5))
    await until('a refusal', () => broker.attempts === 1)
    expect(await failureOf(relay.deliver(await make('a')))).toBeInstanceOf(NotDeliveredError)
    broker.away = false
    await relay.deliver(await make('b'))
    expect(broker.things()).toEqual(['b'])
    expect(relay.depth()).toBe(5)
  })

  test('goes together with those of the same batch of commits', async () => {
    const { broker, relay, make } = await setUp()
    await Promise.all(names(40).map(async (id) => relay.deliver(await make(id))))
    expect(broker.things()).toEqual(names(40))
    expect(broker.sizes.length).toBeLessThan(5)
  })

  test('is taken back when its time is up', async () => {
    const clock = fakeTimers()
    const { store, broker, relay, make } = await setUp({ clock })
    const gate = Promise.withResolvers<void>()
    broker.held = gate.promise
    const failure = relay.deliver(await make('a')).catch((error: Error) => error.message)
    await until('the attempt', () => broker.attempts === 1)
    await clock.advance(2000)
    expect(await failure).toBe('The event was not delivered within 2000 ms')
    expect(await outboxSize(store)).toBe(0)
    gate.resolve()
    await relay.deliver(await make('b'))
    await clock.advance(60_000)
    expect(await outboxSize(store)).toBe(0)
  })

  test('is sent again after a broken connection, also when that broke before the broker answered', async () => {
    for (const when of ['before', 'after'] as const) {
      const { store, broker, relay, make } = await setUp({ keepMs: 50 })
      const gate = Promise.withResolvers<void>()
      broker.held = gate.promise
      const delivered = relay.deliver(await make('a'))
      await until('the attempt', () => broker.attempts === 1)
      broker.lose()
      if (when === 'before') broker.reconnect()
      broker.away = false
      broker.held = null
      gate.resolve()
      await delivered
      if (when === 'after') broker.reconnect()
      await until('the event again', () => broker.taken.length === 2)
      expect(broker.things()).toEqual(['a', 'a'])
      await until('the row to go', async () => (await outboxSize(store)) === 0)
    }
  })

  test('is sent again also when others that were committed before it still waited', async () => {
    const clock = fakeTimers()
    const { store, broker, relay, make } = await setUp({ clock })
    await makeAll(store, ['a'])
    await until('the first', () => broker.taken.length === 1)
    await makeAll(store, ['b'])
    await until('the pause', () => clock.pending().includes(20))
    await relay.deliver(await make('c'))
    broker.reconnect()
    await until('all of it', () => broker.taken.length === 5)
    expect(broker.things()).toEqual(['a', 'c', 'a', 'b', 'c'])
  })

  test('goes out at the next start when the process dies before', async () => {
    const file = tempFile()
    const first = await openStore({ service: 'store-test', file, migrations })
    await first.commit((tx) => makeAwaited(tx, 'a'))
    await first.close()
    const broker = fakeBroker()
    const relay = relayOf(await tempStore({ file }), broker)
    expect(await relay.flush(60_000)).toBe(true)
    expect(broker.things()).toEqual(['a'])
  })

  test('is no event when its commit fails', async () => {
    const { store, broker, relay } = await setUp()
    await failureOf(store.commit(async (tx) => makeAwaited(tx, 'a').then(refuse)))
    expect(relay.depth()).toBe(0)
    await makeAll(store, ['b'])
    expect(await relay.flush(60_000)).toBe(true)
    expect(broker.things()).toEqual(['b'])
  })
})

describe('taking an event back', () => {
  test('it is never sent, and what it told of is undone in the same commit', async () => {
    const { store, broker, relay, make, unmake } = await setUp()
    await makeAll(store, ['a'])
    await relay.flush(60_000)
    broker.away = true
    const event = await make('b')
    await makeAll(store, ['c'])
    expect(await failureOf(relay.deliver(event, unmake('b')))).toMatchObject({
      message: 'The event could not be published',
    })
    expect(await thingIds(store)).toEqual(['a', 'c'])
    expect(relay.depth()).toBe(1)
    broker.reconnect()
    expect(await relay.flush(60_000)).toBe(true)
    expect(broker.things().slice(1)).toEqual(['a', 'c'])
    expect(relay.depth()).toBe(0)
  })

  test('it is published later when it cannot be taken back', async () => {
    const lines: string[] = []
    const { store, broker, relay, make } = await setUp(
      { retryMs: 5, longestRetryMs: 5 },
      { ...silentLog, error: (_, message) => lines.push(message) },
    )
    await makeAll(store, ['a'])
    await relay.flush(60_000)
    broker.away = true
    const event = await make('b')
    expect(await failureOf(relay.deliver(event, refuse))).toBeInstanceOf(NotDeliveredError)
    expect(lines).toEqual(['An event that was not delivered could not be taken back'])
    expect(relay.depth()).toBe(1)
    broker.away = false
    expect(await relay.flush(60_000)).toBe(true)
    expect(broker.things()).toEqual(['a', 'b'])
    expect(await thingIds(store)).toEqual(['a', 'b'])
  })
})

test('closing the store stops its relay, also in the middle of a publish', async () => {
  const store = await tempStore()
  const broker = fakeBroker()
  const gate = Promise.withResolvers<void>()
  broker.held = gate.promise
  const relay = relayOf(store, broker, { batch: 1 })
  await makeAll(store, names(3))
  await until('the publish', () => broker.attempts === 1)
  await store.close()
  gate.resolve()
  await relay.stop()
  expect(broker.attempts).toBe(1)
  expect(broker.things()).toEqual(['0000'])
})
