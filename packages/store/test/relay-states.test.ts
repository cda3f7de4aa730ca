// Events that tell the states of records: of one record's in a publish only the newest goes out.
import { expect, test } from 'bun:test'
import { event } from '@bursar/contracts/event'
import { t } from '@bursar/contracts/schema'
import { emit, emitAll } from '../src/index'
import { makeThing, tempStore, until } from './harness'
import { fakeBroker, outboxSize, relayOf } from './relay-harness'

const fields = t.Object({ thingId: t.String(), state: t.Number() })
const ThingChanged = event('store-test.thing.changed', fields, { consumers: [], stateOf: ({ thingId }) => thingId })
const PartChanged = event('store-test.part.changed', fields, { consumers: [], stateOf: ({ thingId }) => thingId })
const states = (...of: [string, number][]) =>
  of.map(([thingId, state]) => ({ data: { thingId, state }, at: new Date(0) }))

test('of one record’s states in a publish only the newest goes out, in its place; other events all do', async () => {
  const store = await tempStore()
  await store.commit(async (tx) => {
    await emitAll(tx, ThingChanged, states(['a', 1], ['b', 1], ['a', 2]))
    await makeThing(tx, 'a')
    await makeThing(tx, 'b')
    // A record of another kind may have the same id.
    await emit(tx, PartChanged, { thingId: 'a', state: 7 })
    await emitAll(tx, ThingChanged, states(['a', 3], ['c', 1]))
  })
  const broker = fakeBroker()
  const relay = relayOf(store, broker)
  expect(await relay.flush(60_000)).toBe(true)
  const told = broker.taken.map(({ name, data }) => [name.split('.')[1], data as object])
  expect(told).toEqual([
    ['thing', { thingId: 'b', state: 1 }],
    ['thing', { thingId: 'a' }],
    ['thing', { thingId: 'b' }],
    ['part', { thingId: 'a', state: 7 }],
    ['thing', { thingId: 'a', state: 3 }],
    ['thing', { thingId: 'c', state: 1 }],
  ])
  expect(relay.published()).toBe(6)
  expect(relay.depth()).toBe(0)
  expect(await outboxSize(store)).toBe(8)
  await store.commit((tx) => emitAll(tx, ThingChanged, states(['a', 4])))
  await relay.flush(60_000)
  expect(broker.taken.at(-1)?.data).toEqual({ thingId: 'a', state: 4 })
})

test('what was refused goes out again, by then with what is newer', async () => {
  const store = await tempStore()
  const broker = fakeBroker()
  const refusal = Promise.withResolvers<void>()
  broker.held = refusal.promise
  const relay = relayOf(store, broker)
  await store.commit((tx) => emitAll(tx, ThingChanged, states(['a', 1], ['b', 1])))
  await until('the attempt', () => broker.attempts === 1)
  expect(await relay.flush(50)).toBe(false)
  await store.commit((tx) => emitAll(tx, ThingChanged, states(['a', 2])))
  broker.held = null
  refusal.reject(new Error('no broker'))
  expect(await relay.flush(60_000)).toBe(true)
  expect(broker.taken.map(({ data }) => data)).toEqual([
    { thingId: 'b', state: 1 },
    { thingId: 'a', state: 2 },
  ])
})
