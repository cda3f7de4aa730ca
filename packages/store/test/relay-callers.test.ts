import { describe, expect, test } from 'bun:test'
import { NotDeliveredError, unemit } from '../src/index'
import { failureOf, makeThing, tempStore, until } from './harness'
import { fakeBroker, makeAll, names, relayOf } from './relay-harness'

describe('delivered', () => {
  test('resolves when the event is published, also when that was before', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    const relay = relayOf(store, broker)
    const { id } = await store.commit((tx) => makeThing(tx, 'a'))
    await relay.delivered(id, 2000)
    expect(broker.things()).toEqual(['a'])
    await relay.delivered(id, 2000)
  })

  test('rejects as soon as the broker refuses, and tries at once rather than sit out its pause', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    broker.away = true
    const relay = relayOf(store, broker, { retryMs: 60_000, longestRetryMs: 60_000, batch: 2 })
    await makeAll(store, names(5))
    await until('a refusal', () => broker.attempts === 1)
    const { id } = await store.commit((tx) => makeThing(tx, 'a'))
    expect(await failureOf(relay.delivered(id, 60_000))).toBeInstanceOf(NotDeliveredError)
    broker.away = false
    await relay.delivered(id, 60_000)
    expect(broker.things()).toEqual([...names(5), 'a'])
  })

  test('is not rejected for an attempt that began before it was asked for, and that its event is not in', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    broker.away = true
    broker.held = first.promise
    const relay = relayOf(store, broker, { batch: 1 })
    await makeAll(store, ['a'])
    await until('the publish', () => broker.attempts === 1)
    const { id } = await store.commit((tx) => makeThing(tx, 'b'))
    let rejected = false
    const delivery = failureOf(relay.delivered(id, 60_000)).then((error) => {
      rejected = true
      return error
    })
    broker.held = second.promise
    first.resolve()
    await until('the second attempt', () => broker.attempts === 2)
    expect(rejected).toBe(false)
    second.resolve()
    expect(await delivery).toMatchObject({ message: 'The event could not be published' })
  })

  test('rejects when its time is up', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    const gate = Promise.withResolvers<void>()
    broker.held = gate.promise
    const relay = relayOf(store, broker)
    const { id } = await store.commit((tx) => makeThing(tx, 'a'))
    expect(await failureOf(relay.delivered(id, 20))).toMatchObject({
      message: 'The event was not delivered within 20 ms',
    })
    gate.resolve()
    await relay.delivered(id, 2000)
  })

  test('rejects when the relay stops', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    broker.away = true
    const relay = relayOf(store, broker, { retryMs: 60_000, longestRetryMs: 60_000 })
    const waits = failureOf(relay.delivered('unknown', 60_000))
    await relay.stop()
    expect(await waits).toEqual(new NotDeliveredError('The relay has stopped'))
    expect(await failureOf(relay.delivered('unknown', 60_000))).toEqual(new NotDeliveredError('The relay has stopped'))
  })
})

describe('taking an event back', () => {
  for (const memory of [100, 1]) {
    test(`a withdrawn event is never sent (${memory} in memory)`, async () => {
      const store = await tempStore()
      const broker = fakeBroker()
      broker.away = true
      const relay = relayOf(store, broker, { memory, retryMs: 60_000, longestRetryMs: 60_000 })
      const envelopes = await makeAll(store, names(4))
      const id = envelopes[2]?.id ?? ''
      expect(await failureOf(relay.delivered(id, 60_000))).toBeInstanceOf(NotDeliveredError)
      expect(relay.withdraw(id)).toBe(true)
      expect(relay.depth()).toBe(3)
      expect(await store.commit((tx) => unemit(tx, id))).toBe(true)
      expect(await store.commit((tx) => unemit(tx, id))).toBe(false)
      broker.reconnect()
      expect(await relay.flush(2000)).toBe(true)
      expect(broker.things()).toEqual(['0000', '0001', '0003'])
      expect(relay.withdraw(id)).toBe(false)
      expect(relay.depth()).toBe(0)
    })
  }

  test('it is not sent after a reconnect either, while its row still stands', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    broker.away = true
    const relay = relayOf(store, broker)
    const [a] = await makeAll(store, ['a', 'b'])
    await until('a refusal', () => broker.attempts > 1)
    relay.withdraw(a?.id ?? '')
    await until('another', () => broker.attempts > 3)
    broker.reconnect()
    expect(await relay.flush(2000)).toBe(true)
    expect(broker.things()).toEqual(['b'])
  })

  test('one that is being sent is dropped only when the broker refuses it', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    const gate = Promise.withResolvers<void>()
    broker.held = gate.promise
    broker.away = true
    const relay = relayOf(store, broker)
    const [a] = await makeAll(store, ['a', 'b'])
    await until('the publish', () => broker.attempts === 1)
    expect(relay.withdraw(a?.id ?? '')).toBe(false)
    gate.resolve()
    await until('the next attempt', () => broker.attempts > 1)
    broker.away = false
    expect(await relay.flush(2000)).toBe(true)
    expect(broker.things()).toEqual(['b'])
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
