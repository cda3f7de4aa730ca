// Several instances of a service on one database: each event goes out once, and none is lost with the instance that emitted it.
import { describe, expect, test } from 'bun:test'
import { inArray } from 'drizzle-orm'
import type { OpenStore } from '../../src/index'
import { beat } from '../../src/outbox/instances'
import { outbox } from '../../src/schema'
import { instances as instancesTable } from '../../src/schema/shared.table'
import { sayAlive } from '../../src/work/alive'
import { afterTest, makeThing, serverUrl, tempFile, tempStore, until } from '../harness'
import { fakeBroker, makeAll, names, outboxSize, relayOf } from '../relay-harness'

// These need a server: postgres.test.ts runs them on one of its own.
const onServer = describe.skipIf(serverUrl === null)

async function instances(count: number): Promise<OpenStore[]> {
  const file = tempFile()
  const stores: OpenStore[] = []
  for (let i = 0; i < count; i++) stores.push(await tempStore({ file }))
  return stores
}

const later = (seconds: number) => () => new Date(Date.now() + seconds * 1000)
const nothing = { isEmpty: () => false, found: () => {} }
function counter() {
  let times = 0
  const add = () => {
    times += 1
  }
  return { add, times: () => times }
}
const instancesOf = async (store: OpenStore) =>
  (await store.read.select({ instance: outbox.instance }).from(outbox)).map(({ instance }) => instance)
const alive = async (store: OpenStore) => (await store.read.select().from(instancesTable)).map(({ id }) => id)

onServer('instances of a service', () => {
  test('publish each its own events, all once', async () => {
    const stores = await instances(3)
    const broker = fakeBroker()
    const relays = stores.map((store) => relayOf(store, broker))
    const ids = stores.map((_, i) => names(120, `${i}-`))
    await Promise.all(stores.map((store, i) => makeAll(store, ids[i] as string[])))
    for (const relay of relays) expect(await relay.flush(60_000)).toBe(true)
    await until('all are published', () => broker.taken.length >= 360)
    expect(broker.things().toSorted()).toEqual(ids.flat().toSorted())
    expect(relays.map((relay) => [relay.depth(), relay.published()])).toEqual([
      [0, 120],
      [0, 120],
      [0, 120],
    ])
  })

  test('leave the events of one that is alive to it, also while it publishes none', async () => {
    const [one, other] = (await instances(2)) as [OpenStore, OpenStore]
    await makeAll(one, names(3))
    const broker = fakeBroker()
    const relay = relayOf(other, broker)
    await makeAll(other, ['own'])
    await relay.flush(60_000)
    // From here on by times that are given: a busy machine may need longer than an instance may be silent.
    await relay.stop()
    const now = Date.now()
    await one.commit((tx) => sayAlive(tx, { instance: one.instance, now }))
    for (const seconds of [0, 4]) await beat({ store: other, ...nothing, now: () => new Date(now + seconds * 1000) })
    expect(broker.things()).toEqual(['own'])
    expect(new Set(await instancesOf(one))).toEqual(new Set([one.instance, other.instance]))
  })

  test('take over the events of one that has ended, and forget it', async () => {
    const [one, other] = (await instances(2)) as [OpenStore, OpenStore]
    await makeAll(one, names(3))
    expect((await alive(other)).toSorted()).toEqual([one.instance, other.instance].toSorted())
    const broker = fakeBroker()
    const relay = relayOf(other, broker)
    const found = counter()
    await beat({ store: other, isEmpty: () => true, found: found.add, now: later(31) })
    expect([found.times(), await alive(other)]).toEqual([1, [other.instance]])
    expect(await instancesOf(one)).toEqual([other.instance, other.instance, other.instance])
    // What was announced by nobody is read from the beginning.
    await makeAll(other, ['own'])
    await relay.flush(60_000)
    await until('all are published', () => new Set(broker.things()).size === 4)
  })

  test('take over the events of one that said that it is alive while the clock was wrong', async () => {
    const [one, other] = (await instances(2)) as [OpenStore, OpenStore]
    await makeAll(one, names(3))
    await one.commit((tx) => sayAlive(tx, { instance: one.instance, now: later(3600)().getTime() }))
    await beat({ store: other, ...nothing })
    expect(await instancesOf(one)).toEqual([other.instance, other.instance, other.instance])
    expect(await alive(other)).toEqual([other.instance])
  })

  test('take over more than one commit takes, each by one of them', async () => {
    const [one, two, three] = (await instances(3)) as [OpenStore, OpenStore, OpenStore]
    await Promise.all(Array.from({ length: 1200 }, (_, i) => one.commit((tx) => makeThing(tx, `${i}`), `${i}`)))
    await Promise.all([two, three].map((store) => beat({ store, ...nothing, now: later(31) })))
    const owners = Map.groupBy(await instancesOf(two), (instance) => instance)
    expect([...owners.keys()].every((instance) => [two.instance, three.instance].includes(instance))).toBe(true)
    expect([...owners.values()].flat().length).toBe(1200)
  })

  test('that are closed leave what they did not publish to the others at once', async () => {
    const [one, other] = (await instances(2)) as [OpenStore, OpenStore]
    const away = fakeBroker()
    away.away = true
    const stopping = relayOf(one, away)
    await makeAll(one, names(3))
    await stopping.stop()
    await one.close()
    expect(await alive(other)).toEqual([other.instance])
    await beat({ store: other, ...nothing })
    expect(await instancesOf(other)).toEqual([other.instance, other.instance, other.instance])
  })

  test('that were held up delete nothing that another one has taken over', async () => {
    const [one, other] = (await instances(2)) as [OpenStore, OpenStore]
    const broker = fakeBroker()
    let sweep = () => {}
    let nowMs = 0
    const clock = {
      now: () => nowMs,
      after(ms: number, work: () => void) {
        if (ms > 5000) sweep = work
        else setImmediate(work)
        return () => {}
      },
    }
    relayOf(one, broker, { clock })
    await makeAll(one, names(3))
    await until('they are published', () => broker.taken.length === 3)
    // As soon as it counts as ended, and no later: it would not take the other one for alive by a time too far ahead.
    await beat({ store: other, ...nothing, now: later(10) })
    nowMs = 60_000
    sweep()
    await one.commit((tx) => makeThing(tx, 'later'))
    expect((await instancesOf(one)).filter((instance) => instance === other.instance)).toHaveLength(3)
  })

  test('find what they have committed without knowing it', async () => {
    const [store] = (await instances(1)) as [OpenStore]
    const broker = fakeBroker()
    const deaf: OpenStore = { ...store, onEvents: () => () => {} }
    const relay = relayOf(deaf, broker)
    await relay.flush(60_000)
    await makeAll(store, names(3))
    const found = counter()
    const look = (isEmpty: boolean) => beat({ store, isEmpty: () => isEmpty, found: found.add })
    await look(false)
    expect(found.times()).toBe(0)
    await look(true)
    expect(found.times()).toBe(1)
    await store.commit(
      async (tx) => void (await tx.delete(outbox).where(inArray(outbox.name, ['store-test.thing.made']))),
    )
    await look(true)
    expect([found.times(), await outboxSize(store)]).toEqual([1, 0])
  })

  test('wait for the answers of their own commits before they call an event unknown', async () => {
    const [store] = (await instances(1)) as [OpenStore]
    await makeAll(store, names(1))
    // The answer to the commit that made it comes before that to the next one.
    let answered = 0
    const slow: OpenStore = {
      ...store,
      commit: (...args) =>
        store.commit(...args).finally(() => {
          answered += 1
        }),
    }
    const found = counter()
    await beat({ store: slow, isEmpty: () => answered < 2, found: found.add })
    expect([found.times(), answered]).toEqual([0, 2])
  })

  test('publish an event that was read before its commit was answered once', async () => {
    const [store] = (await instances(1)) as [OpenStore]
    const broker = fakeBroker()
    const listeners: Parameters<OpenStore['onEvents']>[0][] = []
    const late: OpenStore = {
      ...store,
      onEvents(listener) {
        listeners.push(listener)
        return () => {}
      },
    }
    const relay = relayOf(late, broker)
    await relay.flush(60_000)
    const events: Parameters<(typeof listeners)[number]>[0][] = []
    afterTest(store.onEvents((each) => void events.push(each)))
    await makeAll(store, ['a', 'b'])
    // Somebody else's announcement makes it read.
    const announce = (each: (typeof events)[number]) => listeners[0]?.(each)
    announce(events[0] as never)
    await until('both are published', () => broker.taken.length >= 2)
    announce(events[1] as never)
    expect(await relay.flush(60_000)).toBe(true)
    expect([broker.things().toSorted(), relay.depth()]).toEqual([['a', 'b'], 0])
  })
})
