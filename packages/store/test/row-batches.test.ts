// Statements for a batch of rows do what single ones would do one after another.
import { describe, expect, test } from 'bun:test'
import type { Envelope } from '@bursar/contracts/event'
import { and, asc, eq, inArray } from 'drizzle-orm'
import {
  beginRun,
  changedRecords,
  emit,
  emitAll,
  insertAll,
  LeaseLostError,
  param,
  queryAmong,
  rowsOf,
  updateAll,
  writeAmong,
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

describe('statements of a batch', () => {
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

  test('a row that breaks a rule of the table takes the batch with it; a column that is not given is a mistake', async () => {
    const store = await tempStore()
    const twice = ids(5).map(full)
    expect(String(await failureOf(store.commit((tx) => insertThings(tx, [...twice, full('0003', 9)]))))).toMatch(
      /unique/i,
    )
    const { fee: _, ...without } = full('x', 1)
    const failure = await failureOf(
      store.commit((tx) => insertThings(tx, [...twice, without as (typeof twice)[number]])),
    )
    expect(String(failure)).toContain('No value for placeholder "fee"')
    expect(await thingIds(store)).toEqual([])
  })

  test('the rows of many keys are read a hundred keys at a time', async () => {
    const store = await tempStore()
    await store.commit((tx) =>
      insertThings(
        tx,
        ids(250).map((id) => newThing(id)),
      ),
    )
    const asked: unknown[][] = []
    const among = queryAmong((keys) => {
      asked.push([...keys])
      return (db) => db.select({ id: things.id }).from(things).where(inArray(things.id, keys))
    })
    expect((await among(store.read, [...ids(250), 'nobody'])).map(({ id }) => id).sort()).toEqual([...ids(250)].sort())
    expect(await among(store.read, [])).toEqual([])
    // Two runs of the statement of a hundred, one of that of 64.
    expect(asked.map(({ length }) => length)).toEqual([100, 64])
  })

  test('a write tells how many rows of all its keys it wrote', async () => {
    const store = await tempStore()
    await store.commit((tx) =>
      insertThings(
        tx,
        ids(250).map((id) => newThing(id, { label: 'old' })),
      ),
    )
    const relabel = writeAmong(
      (keys) => (db) =>
        db
          .update(things)
          .set({ label: param('label') })
          .where(and(inArray(things.id, keys), eq(things.label, 'old'))),
    )
    const write = (keys: string[]) => store.commit((tx) => relabel(tx, keys, { label: 'new' }))
    expect(await write([])).toBe(0)
    expect(await write(['nobody', ...ids(3)])).toBe(3)
    expect(await write(ids(250))).toBe(247)
    expect(await write(ids(250))).toBe(0)
  })
})

describe('events and marks of a batch', () => {
  test('events have keys that follow each other, and the request that each names', async () => {
    const store = await tempStore({ requestId: () => 'caller', traceparent: (_, requestId) => `trace of ${requestId}` })
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
    expect(envelopes.map(({ traceparent }) => traceparent)).toEqual(
      envelopes.map(({ requestId }) => `trace of ${requestId}`),
    )
  })

  test('each record gets the mark under which it is listed, and the one before is gone', async () => {
    const store = await tempStore()
    await beginRun(store, null)
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
    // That of another kind's record of the same name is newer, and its own.
    await store.commit((tx) => changedRecords('copy', copies).mark(tx, '0001'))
    for (const [i, id] of ids(120).entries()) {
      expect((await records.stateOf(store.read, id))?.mark).toEqual(marks[i] as (typeof marks)[number])
    }
    expect(rows.slice(-120).map(({ recordId }) => recordId)).toEqual(ids(120))
    expect(await store.commit((tx) => records.markAll(tx, []))).toEqual([])
  })
})

describe('work of a batch', () => {
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

  test('where one lease is lost, none of the batch is rescheduled', async () => {
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
