import { describe, expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { fakeTimers } from '@bursar/testing'
import type { OpenStore, RelayTuning } from '../src/index'
import { makeAwaited, runRaw, tempStore, until } from './harness'
import { fakeBroker, makeAll, names, outboxSize, relayOf } from './relay-harness'

/** A relay with a broker and a clock that the test controls. `keepMs` is the default, ten seconds. */
async function setUp(tuning: Partial<RelayTuning> = {}, log = silentLog) {
  const store = await tempStore()
  const broker = fakeBroker()
  const clock = fakeTimers()
  const relay = relayOf(store, broker, { spacingMs: 0, clock, ...tuning }, log)
  return { store, broker, clock, relay }
}

/** Commits events and waits until the broker has taken them. */
async function publish(store: OpenStore, broker: ReturnType<typeof fakeBroker>, ids: string[]) {
  const before = broker.taken.length
  await makeAll(store, ids)
  await until('the events to be taken', () => broker.taken.length === before + ids.length)
}

describe('published events leave the outbox', () => {
  test('ten seconds after they were published, and those published later stay', async () => {
    const { store, broker, clock } = await setUp()
    await publish(store, broker, names(25))
    await clock.advance(6000)
    await publish(store, broker, ['later'])
    await clock.advance(3900)
    expect(await outboxSize(store)).toBe(26)
    await clock.advance(700)
    expect(await outboxSize(store)).toBe(1)
    await clock.advance(6000)
    expect(await outboxSize(store)).toBe(0)
  })

  test('five hundred in a commit at most', async () => {
    const { store, broker, clock } = await setUp()
    await publish(store, broker, names(1234))
    const sizes: number[] = []
    const commit = store.commit
    store.commit = async (body) => {
      const before = await outboxSize(store)
      const value = await commit(body)
      sizes.push(before - (await outboxSize(store)))
      return value
    }
    await clock.advance(10_500)
    expect(sizes).toEqual([500, 500, 234])
  })

  for (const seconds of [1, 15, 60]) {
    test(`never while the broker is away (${seconds} s), and all is sent again when it is back`, async () => {
      const { store, broker, clock } = await setUp()
      await publish(store, broker, names(25))
      await clock.advance(400)
      broker.lose()
      await makeAll(store, ['meanwhile'])
      await clock.advance(seconds * 1000)
      expect(await outboxSize(store)).toBe(26)
      broker.taken.length = 0
      broker.reconnect()
      await until('all of it', () => broker.taken.length === 26)
      expect(broker.things()).toEqual([...names(25), 'meanwhile'])
      await clock.advance(10_500)
      expect(await outboxSize(store)).toBe(0)
    })
  }

  test('only ten seconds after the last of several connections began', async () => {
    const { store, broker, clock } = await setUp()
    await publish(store, broker, names(25))
    for (let round = 2; round <= 4; round++) {
      await clock.advance(9900)
      broker.lose()
      broker.reconnect()
      await until('all of it again', () => broker.taken.length === 25 * round)
    }
    await clock.advance(9900)
    expect(await outboxSize(store)).toBe(25)
    await clock.advance(1000)
    expect(await outboxSize(store)).toBe(0)
  })

  test('not when the connection broke before the broker answered', async () => {
    const { store, broker, clock } = await setUp()
    const gate = Promise.withResolvers<void>()
    broker.held = gate.promise
    await makeAll(store, names(25))
    await until('the publish', () => broker.attempts === 1)
    broker.lose()
    broker.away = false
    gate.resolve()
    await until('the events to be taken', () => broker.taken.length === 25)
    await clock.advance(60_000)
    expect(await outboxSize(store)).toBe(25)
    broker.held = null
    broker.reconnect()
    await until('all of it again', () => broker.taken.length === 50)
    await clock.advance(10_500)
    expect(await outboxSize(store)).toBe(0)
  })

  test('later, when they could not be deleted', async () => {
    const lines: string[] = []
    const { store, broker, clock } = await setUp({}, { ...silentLog, warn: (_, message) => lines.push(message) })
    await publish(store, broker, names(3))
    await store.commit(async (tx) => runRaw(tx, 'ALTER TABLE outbox RENAME TO mislaid'))
    await clock.advance(10_500)
    expect(lines).toEqual(['Published events could not be deleted from the outbox'])
    await store.commit(async (tx) => runRaw(tx, 'ALTER TABLE mislaid RENAME TO outbox'))
    await clock.advance(10_000)
    expect(await outboxSize(store)).toBe(0)
  })
})

describe('pace', () => {
  test('the pause after a refusal doubles up to the longest', async () => {
    const { store, broker, clock } = await setUp({ retryMs: 100, longestRetryMs: 2000 })
    broker.away = true
    await makeAll(store, ['a'])
    const pauses: number[] = []
    for (let attempt = 1; attempt <= 7; attempt++) {
      await until('a refusal', () => broker.attempts === attempt && clock.pending().length === 1)
      const [pause = 0] = clock.pending()
      pauses.push(pause)
      await clock.advance(pause)
    }
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 2000, 2000])
  })

  test('the first event goes out at once, those that follow within 20 ms go together', async () => {
    const { store, broker, clock } = await setUp({ spacingMs: 20 })
    await publish(store, broker, ['a'])
    await makeAll(store, ['b'])
    await until('the pause', () => clock.pending().includes(20))
    await makeAll(store, ['c', 'd'])
    expect(broker.sizes).toEqual([1])
    await clock.advance(20)
    await until('the others', () => broker.taken.length === 4)
    expect(broker.sizes).toEqual([1, 3])
  })

  test('many events go out together, the longer apart the more come, and soon again when few come', async () => {
    const { store, broker, clock } = await setUp({ spacingMs: 20, longestSpacingMs: 80 })
    const pauses: number[] = []
    let made = 0
    const round = async (count: number) => {
      await makeAll(store, names(count, `${++made}-`))
      await until('a pause', () => clock.pending().some((ms) => ms <= 80))
      const [pause = 0] = clock.pending()
      pauses.push(pause)
      const { length } = broker.sizes
      await clock.advance(pause)
      await until('the publish', () => broker.sizes.length > length)
    }
    await publish(store, broker, ['first'])
    for (const count of [200, 11, 12, 191, 40, 192, 4, 3, 1, 1]) await round(count)
    expect(pauses).toEqual([20, 20, 20, 40, 80, 80, 80, 80, 40, 20])
    expect(broker.sizes).toEqual([1, 200, 11, 12, 191, 40, 192, 4, 3, 1, 1])
  })

  test('an event that a caller waits for goes out at once, past those before it', async () => {
    const { store, broker, clock, relay } = await setUp({ spacingMs: 20 })
    await publish(store, broker, ['a'])
    await makeAll(store, ['b'])
    await until('the pause', () => clock.pending().includes(20))
    await relay.deliver(await store.commit((tx) => makeAwaited(tx, 'c')))
    expect(broker.things()).toEqual(['a', 'c'])
    await clock.advance(20)
    await until('the other', () => broker.taken.length === 3)
    expect(broker.things()).toEqual(['a', 'c', 'b'])
  })

  test('an event that a caller waits for does not wait after the publish before it', async () => {
    const { store, broker, relay } = await setUp({ spacingMs: 20 })
    const gate = Promise.withResolvers<void>()
    broker.held = gate.promise
    await makeAll(store, ['a'])
    await until('the publish', () => broker.attempts === 1)
    const event = await store.commit((tx) => makeAwaited(tx, 'b'))
    const delivered = relay.deliver(event)
    gate.resolve()
    await delivered
    expect(broker.sizes).toEqual([1, 1])
  })

  test('what the outbox holds at the start goes out without pauses', async () => {
    const store = await tempStore()
    const broker = fakeBroker()
    await makeAll(store, names(25))
    relayOf(store, broker, { spacingMs: 20, clock: fakeTimers(), batch: 10 })
    await until('all of it', () => broker.taken.length === 25)
    expect(broker.sizes).toEqual([10, 10, 5])
  })

  test('nothing goes out when the relay stops meanwhile', async () => {
    const { store, broker, clock, relay } = await setUp({ spacingMs: 20 })
    await publish(store, broker, ['a'])
    await makeAll(store, ['b'])
    await until('the pause', () => clock.pending().includes(20))
    await relay.stop()
    expect(broker.things()).toEqual(['a'])
  })

  test('a full batch goes out at once', async () => {
    const { store, broker } = await setUp({ spacingMs: 20, batch: 10 })
    await publish(store, broker, names(30))
    expect(broker.sizes).toEqual([10, 10, 10])
  })
})
