// Statements and commits for a lot: they do what single ones would do one after another.
import { describe, expect, test } from 'bun:test'
import type { Envelope } from '@bursar/contracts/event'
import { asc } from 'drizzle-orm'
import {
  beginEpoch,
  changedRecords,
  emit,
  emitAll,
  inLists,
  inLots,
  insertAll,
  LeaseLostError,
  NestedCommitError,
  receive,
  receiveAll,
  rowsOf,
  updateAll,
} from '../src/index'
import { changes, outbox } from '../src/schema'
import { copies } from './fixture/copies.table'
import { things } from './fixture/things.table'
import { failureOf, insertThing, newThing, ThingMade, tempStore, thingIds } from './harness'
import { add, queue, read, second, start } from './work-jobs'

const ids = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(4, '0'))
/** One of each size of statement, one between two, and more than the largest. */
const counts = [0, 1, 2, 3, 4, 8, 31, 64, 65, 200]
const insertThings = insertAll(things)
const updateThings = updateAll(things, 'id', ['amount', 'label', 'endedAt', 'isKnown', 'extra'])
const thingsOf = rowsOf(things, 'id')

const full = (id: string, i: number) =>
  newThing(id, {
    label: i % 2 === 0 ? `"it's" ${i}` : null,
    ratio: i / 7,
    isKnown: i % 3 === 0 ? null : i % 3 === 1,
    data: { i },
    extra: i % 2 === 0 ? null : [i, 'x'],
    createdAt: new Date(1e12 + i),
    endedAt: i % 4 === 0 ? null : new Date(2e12 + i),
    amount: 10n ** 30n + BigInt(i),
    fee: i % 5 === 0 ? null : -1n,
  })

describe('statements of a lot', () => {
  test.each(counts)('%d rows are inserted and updated as they would be one by one', async (count) => {
    const store = await tempStore()
    const single = await tempStore()
    const rows = ids(count).map(full)
    const others = [newThing('a'), newThing('b')]
    await store.commit(async (tx) => expect(await insertThings(tx, [...others, ...rows])).toBe(count + 2))
    await single.commit(async (tx) => {
      for (const row of [...others, ...rows]) await insertThing(tx).execute(row)
    })
    const all = (from: typeof store) => from.read.select().from(things).orderBy(asc(things.id))
    expect(await all(store)).toEqual(await all(single))
    expect((await thingsOf(store.read, [...ids(count), 'nowhere'])).length).toBe(count)
    const changed = rows.map((row, i) => ({ ...full(row.id, i + 1), isOpen: false }))
    await store.commit(async (tx) =>
      expect(await updateThings(tx, [...changed, { ...full('nowhere', 1) }])).toBe(count),
    )
    const wanted = rows.map((row, i) => {
      const { amount, label, endedAt, isKnown, extra } = changed[i] as (typeof changed)[number]
      return { ...row, amount, label, endedAt, isKnown, extra }
    })
    expect((await all(store)).map(({ id }) => id)).toEqual([...wanted.map(({ id }) => id), 'a', 'b'])
    expect(await thingsOf(store.read, ids(count))).toEqual(expect.arrayContaining(wanted))
    expect(await thingsOf(store.read, ['a', 'b'])).toEqual(expect.arrayContaining(others))
  })

  test('a row that breaks a rule of the table takes the lot with it; a column that is not given is a mistake', async () => {
    const store = await tempStore()
    const twice = ids(5).map(full)
    expect(String(await failureOf(store.commit((tx) => insertThings(tx, [...twice, full('0003', 9)]))))).toContain(
      'UNIQUE',
    )
    const { fee: _, ...without } = full('x', 1)
    const failure = await failureOf(
      store.commit((tx) => insertThings(tx, [...twice, without as (typeof twice)[number]])),
    )
    expect(String(failure)).toContain('No value for column "fee"')
    expect(await thingIds(store)).toEqual([])
  })

  test('the rows of many keys are read a hundred keys at a time', async () => {
    const sizes: number[] = []
    const keys = ids(250)
    const rows = await inLists(keys, async (list) => {
      sizes.push(list.length)
      return list.map(Number)
    })
    expect(rows).toEqual(keys.map(Number))
    expect(sizes).toEqual([100, 100, 50])
    expect(await inLists([] as string[], async () => [1])).toEqual([])
  })
})

describe('events and marks of a lot', () => {
  test('events have keys that follow each other, and the request that each names', async () => {
    const store = await tempStore({ requestId: () => 'caller' })
    const told: number[] = []
    store.onEvents((events) => void told.push(...events.map(({ seq }) => seq)))
    const at = new Date(5)
    const events = ids(70).map((id, i) => ({ data: { thingId: id }, at, ...(i === 1 && { requestId: 'own' }) }))
    await store.commit(async (tx) => {
      await emit(tx, ThingMade, { thingId: 'first' })
      await emitAll(tx, ThingMade, events)
      await emitAll(tx, ThingMade, [])
      await emit(tx, ThingMade, { thingId: 'last' })
    })
    const rows = await store.read.select().from(outbox).orderBy(asc(outbox.seq))
    expect(told).toEqual(rows.map(({ seq }) => seq))
    const envelopes = rows.map(({ envelope }) => JSON.parse(envelope) as Envelope<{ thingId: string }>)
    expect(envelopes.map(({ data }) => data.thingId)).toEqual(['first', ...ids(70), 'last'])
    expect(new Set(rows.map(({ eventId }) => eventId)).size).toBe(72)
    expect(envelopes.map(({ requestId }) => requestId).filter((each) => each !== 'caller')).toEqual(['own'])
    expect(envelopes[2]).toMatchObject({ requestId: 'own', timestamp: at.toISOString() })
  })

  test('each record gets the mark under which it is listed, and the one before is gone', async () => {
    const store = await tempStore()
    await beginEpoch(store)
    const records = changedRecords('thing', things)
    await store.commit(async (tx) => {
      await insertThings(tx, ids(150).map(full))
      await tx.insert(copies).values({ id: '0001', label: '', epoch: 0, version: 0 })
      await changedRecords('copy', copies).mark(tx, '0001')
      await records.markAll(tx, ids(150))
      await records.mark(tx, '0002')
    })
    const marks = await store.commit((tx) => records.markAll(tx, ids(120)))
    const rows = await store.read.select().from(changes).orderBy(asc(changes.seq))
    expect(rows).toHaveLength(151)
    for (const [i, id] of ids(120).entries()) {
      expect((await records.stateOf(store.read, id))?.mark).toEqual(marks[i] as (typeof marks)[number])
    }
    expect(rows.slice(-120).map(({ recordId }) => recordId)).toEqual(ids(120))
    expect(await store.commit((tx) => records.markAll(tx, []))).toEqual([])
  })
})

describe('inLots', () => {
  interface Item {
    id: string
    label?: string
    fails?: boolean
  }
  function keeping() {
    const runs: string[][] = []
    const keep = inLots(
      ({ id }: Item) => id,
      async (tx, items) => {
        runs.push(items.map(({ id }) => id))
        const known = new Set(
          (
            await thingsOf(
              tx,
              items.map(({ id }) => id),
            )
          ).map(({ id }) => id),
        )
        const fresh = items.filter(({ id }) => !known.has(id))
        await insertThings(
          tx,
          fresh.map(({ id, label = null }) => newThing(id, { label })),
        )
        for (const { id, fails } of items) if (fails) throw new Error(`not ${id}`)
        return items.map(({ id }) => (known.has(id) ? 'known' : `new ${id}`))
      },
    )
    return { keep, runs }
  }

  test('what is given before it runs shares one body, and each gets its own result', async () => {
    const store = await tempStore()
    const { keep, runs } = keeping()
    const before = store.counts()
    expect(await Promise.all(ids(40).map((id) => keep(store, { id })))).toEqual(ids(40).map((id) => `new ${id}`))
    expect(runs).toEqual([ids(40)])
    expect(store.counts().bodies - before.bodies).toBe(1)
    expect(await keep(store, { id: '0003' })).toBe('known')
    expect(await thingIds(store)).toEqual(ids(40))
  })

  test('one that throws takes no other with it, and nothing that it wrote stays', async () => {
    const store = await tempStore()
    const { keep } = keeping()
    const outcomes = await Promise.allSettled(ids(30).map((id, i) => keep(store, { id, fails: i % 10 === 4 })))
    const failed = ['0004', '0014', '0024']
    expect(outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual(
      ids(30).map((id) => (failed.includes(id) ? `not ${id}` : `new ${id}`)),
    )
    expect(await thingIds(store)).toEqual(ids(30).filter((id) => !failed.includes(id)))
    expect(await keep(store, { id: '0004' })).toBe('new 0004')
  })

  test('two of one key are never in one lot: the first is written before the second is looked at', async () => {
    const store = await tempStore()
    const { keep, runs } = keeping()
    const given = ['a', 'b', 'a', 'c', 'a'].map((id, i) => keep(store, { id, label: String(i) }))
    expect(await Promise.all(given)).toEqual(['new a', 'new b', 'known', 'new c', 'known'])
    expect(runs).toEqual([['a', 'b'], ['a', 'c'], ['a']])
    expect((await thingsOf(store.read, ['a']))[0]?.label).toBe('0')
  })

  test('a lot takes at most 256, and lots of two stores or two bodies are apart', async () => {
    const [one, other] = [await tempStore(), await tempStore()]
    const { keep, runs } = keeping()
    const { keep: keepElsewhere, runs: elsewhere } = keeping()
    const all = ids(300).map((id) => keep(one, { id }))
    await Promise.all([...all, keep(other, { id: 'x' }), keepElsewhere(one, { id: 'y' })])
    expect(runs.map(({ length }) => length).sort((a, b) => a - b)).toEqual([1, 44, 256])
    expect(elsewhere).toEqual([['y']])
    expect(await thingIds(other)).toEqual(['x'])
  })

  test('a body that runs again, because another one threw, has the same lot; one given meanwhile is of the next', async () => {
    const store = await tempStore()
    const { keep, runs } = keeping()
    const first = ['a', 'b'].map((id) => keep(store, { id }))
    const begun = Promise.withResolvers<void>()
    const next = begun.promise.then(() => keep(store, { id: 'c' }))
    const failing = failureOf(
      store.commit(async () => {
        begun.resolve()
        throw new Error('no')
      }),
    )
    await Promise.all([...first, failing])
    expect(await next).toBe('new c')
    expect(runs).toEqual([['a', 'b'], ['a', 'b'], ['c']])
    expect(await thingIds(store)).toEqual(['a', 'b', 'c'])
  })

  test('what is given inside a commit is refused, whether there is a lot or not: it would wait for itself', async () => {
    const store = await tempStore()
    const { keep } = keeping()
    const inside = (id: string) => store.commit(async () => void (await keep(store, { id })))
    expect(await failureOf(inside('a'))).toBeInstanceOf(NestedCommitError)
    const [, failure] = await Promise.all([keep(store, { id: 'b' }), failureOf(inside('c')), keep(store, { id: 'd' })])
    expect(failure).toBeInstanceOf(NestedCommitError)
    expect(await thingIds(store)).toEqual(['b', 'd'])
  })

  test('a store that is closed rejects each; a body that gives too few results commits nothing', async () => {
    const store = await tempStore()
    const { keep } = keeping()
    const short = inLots(String, async (tx, items: readonly string[]) => {
      await insertThings(
        tx,
        items.map((id) => newThing(id)),
      )
      return items.slice(1)
    })
    const outcomes = await Promise.allSettled(['p', 'q'].map((id) => short(store, id)))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await thingIds(store)).toEqual([])
    await store.close()
    const closed = await Promise.allSettled(['a', 'b'].map((id) => keep(store, { id })))
    expect(closed.map((each) => (each.status === 'rejected' ? each.reason.name : ''))).toEqual(
      Array(2).fill('StoreClosedError'),
    )
  })
})

describe('receiveAll', () => {
  const envelope = (id: string, thingId = id): Envelope => ({
    id,
    name: 'store-test.thing.made',
    type: 'THING_MADE',
    timestamp: new Date(0).toISOString(),
    requestId: null,
    service: 'store-test',
    data: { thingId },
  })
  const aboutOf = ({ data }: Envelope) => (data as { thingId: string }).thingId

  test('those that arrive together are acted on together; a repeat is not, nor one that was acted on before', async () => {
    const store = await tempStore()
    const runs: string[][] = []
    const hear = receiveAll(store, aboutOf, async (tx, envelopes) => {
      runs.push(envelopes.map(({ id }) => id))
      await insertThings(
        tx,
        envelopes.map(({ id }) => newThing(id)),
      )
      return envelopes.map(({ id }) => id.length)
    })
    await hear(envelope('b'))
    const answers = await Promise.all(['a', 'bb', 'a', 'b', 'ccc'].map((id) => hear(envelope(id))))
    expect(answers).toEqual([{ result: 1 }, { result: 2 }, null, null, { result: 3 }])
    expect(runs).toEqual([['b'], ['a', 'bb', 'ccc']])
    expect(await thingIds(store)).toEqual(['a', 'b', 'bb', 'ccc'])
  })

  test('events about one thing are acted on one after another, and others in their order between them', async () => {
    const store = await tempStore()
    const acted: string[] = []
    const hear = receiveAll(store, aboutOf, async (_tx, envelopes) => {
      acted.push(envelopes.map(({ id }) => id).join(' '))
      return envelopes
    })
    await Promise.all([
      hear(envelope('1', 'a')),
      hear(envelope('2', 'b')),
      hear(envelope('3', 'a')),
      receive(store, envelope('4', 'c'), async () => void acted.push('4 alone')),
      hear(envelope('5', 'b')),
      hear(envelope('6', 'a')),
    ])
    expect(acted).toEqual(['1 2', '3', '4 alone', '5 6'])
  })

  test('one that throws neither undoes the others nor leaves a receipt', async () => {
    const store = await tempStore()
    let isBroken = true
    const hear = receiveAll(store, aboutOf, async (tx, envelopes) => {
      await insertThings(
        tx,
        envelopes.map(({ id }) => newThing(id)),
      )
      if (isBroken && envelopes.some(({ id }) => id === '0007')) throw new Error('not now')
      return envelopes
    })
    const outcomes = await Promise.allSettled(ids(20).map((id) => hear(envelope(id))))
    expect(outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))).toEqual([7])
    expect(await thingIds(store)).toEqual(ids(20).filter((id) => id !== '0007'))
    isBroken = false
    const again = await Promise.all(ids(20).map((id) => hear(envelope(id))))
    expect(again.flatMap((each, i) => (each ? [i] : []))).toEqual([7])
    expect(await thingIds(store)).toEqual(ids(20))
  })
})

describe('work of a lot', () => {
  test('each row is rescheduled by its own attempts and reason; one that was woken meanwhile is due at once', async () => {
    const store = await tempStore()
    await add(store, ids(5))
    const rows = await queue.claim(store, { now: start, limit: 5 })
    await store.commit((tx) => queue.wake(tx, '0003', start))
    await store.commit((tx) =>
      queue.rescheduleAll(
        tx,
        rows.map((row, i) => ({
          row,
          why: {
            now: start,
            error: i === 0 ? null : `no ${row.id}`,
            attempts: i + 1,
            atLeastMs: i === 4 ? 50 * second : 0,
          },
        })),
      ),
    )
    const at = (ms: number) => new Date(start.getTime() + ms)
    const found = await Promise.all(ids(5).map((id) => read(store, id)))
    expect(found.map((row) => row?.dueAt)).toEqual([at(second), at(2 * second), at(4 * second), start, at(50 * second)])
    expect(found.map((row) => [row?.attempts, row?.lastError, row?.leasedUntil])).toEqual(
      ids(5).map((id, i) => [i + 1, i === 0 ? null : `no ${id}`, null]),
    )
  })

  test('where one lease is lost, none of the lot is rescheduled', async () => {
    const store = await tempStore()
    await add(store, ids(4))
    const rows = await queue.claim(store, { now: start, limit: 4 })
    const later = new Date(start.getTime() + 40 * second)
    const [stolen] = await queue.claim(store, { now: later, limit: 1 })
    const all = rows.map((row) => ({ row, why: { now: start, error: 'late' } }))
    expect(await failureOf(store.commit((tx) => queue.rescheduleAll(tx, all)))).toBeInstanceOf(LeaseLostError)
    const found = await Promise.all(ids(4).map((id) => read(store, id)))
    expect(found.every((row) => row?.lastError === null && row.leasedUntil !== null)).toBe(true)
    await store.commit((tx) =>
      queue.rescheduleAll(
        tx,
        all.filter(({ row }) => row.id !== stolen?.id),
      ),
    )
    await store.commit((tx) => queue.rescheduleAll(tx, []))
  })

  test('many are requested at once: those that have ended begin again, and those that are due stay so', async () => {
    const store = await tempStore()
    await add(store, ids(150))
    const rows = await queue.claim(store, { now: start, limit: 100 })
    await store.commit((tx) => queue.finish(tx, rows))
    const now = new Date(start.getTime() + second)
    await store.commit((tx) => queue.requestAll(tx, ids(120), now))
    const ended = new Set(rows.map(({ id }) => id))
    for (const id of ids(150)) {
      const again = ended.has(id) ? (ids(120).includes(id) ? now : null) : start
      expect((await read(store, id))?.dueAt).toEqual(again as Date)
    }
  })
})
