import { describe, expect, test } from 'bun:test'
import { eq, gt, type SQL } from 'drizzle-orm'
import fc from 'fast-check'
import { caseless, param, params, prepared } from '../src/index'
import { outbox } from '../src/schema'
import { steadied } from '../src/statements/statements'
import { parts, things } from './fixture/things.table'
import { insertThing, newThing, tempStore } from './harness'

const byId = prepared((db) =>
  db
    .select()
    .from(things)
    .where(eq(things.id, param('id'))),
)
const byCode = prepared((db) =>
  db
    .select({ id: things.id })
    .from(things)
    .where(eq(caseless(things.assetCode), caseless(param('code')))),
)

describe('columns through placeholders', () => {
  test('every kind of value comes back as it went in, null too', async () => {
    const store = await tempStore()
    const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
    const row = fc.record({
      label: nullable(fc.string({ unit: 'grapheme' })),
      count: fc.maxSafeInteger(),
      ratio: nullable(fc.double({ noNaN: true }).map((value) => value + 0)),
      isOpen: fc.boolean(),
      isKnown: nullable(fc.boolean()),
      data: fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        fc.jsonValue({ depthSize: 'small' }),
      ),
      extra: nullable(fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)))),
      createdAt: fc.date({ noInvalidDate: true }),
      endedAt: nullable(fc.date({ noInvalidDate: true })),
      amount: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      fee: nullable(fc.bigInt({ min: 0n, max: 2n ** 64n })),
    })
    let made = 0
    await fc.assert(
      fc.asyncProperty(row, async (values) => {
        const id = String(made++)
        const thing = newThing(id, { ...values, data: JSON.parse(JSON.stringify(values.data)) })
        await store.commit((tx) => insertThing(tx).execute(thing))
        expect(await byId(store.read).execute({ id })).toEqual([thing])
      }),
      { numRuns: 60 },
    )
  })

  test('the same values by the builder, and changed by a prepared update', async () => {
    const store = await tempStore()
    const thing = newThing('a', { isKnown: false, extra: [1, null], endedAt: new Date(5), fee: 10n ** 30n })
    const change = prepared((db) =>
      db
        .update(things)
        .set({
          isKnown: param('isKnown'),
          extra: param('extra'),
          endedAt: param('endedAt'),
          fee: param('fee'),
        })
        .where(eq(things.id, param('id')))
        .returning(),
    )
    await store.commit(async (tx) => {
      await tx.insert(things).values(thing)
    })
    expect(await store.read.select().from(things)).toEqual([thing])
    const empty = { isKnown: null, extra: null, endedAt: null, fee: null }
    expect(await store.commit((tx) => change(tx).execute({ id: 'a', ...empty }))).toEqual([{ ...thing, ...empty }])
  })

  test('codes compare without regard to case', async () => {
    const store = await tempStore()
    await store.commit((tx) => insertThing(tx).execute(newThing('a', { assetCode: 'BtC' })))
    expect(await byCode(store.read).execute({ code: 'bTc' })).toEqual([{ id: 'a' }])
    const second = store.commit((tx) => insertThing(tx).execute(newThing('b', { assetCode: 'BTC' })))
    await expect(second).rejects.toThrow(/unique/i)
  })
})

describe('placeholders that are compared', () => {
  test('dates, booleans and amounts beyond 64 bits', async () => {
    const store = await tempStore()
    const amount = 10n ** 30n
    await store.commit(async (tx) => {
      await insertThing(tx).execute(newThing('a', { createdAt: new Date(1000), isOpen: false, amount }))
      await insertThing(tx).execute(newThing('b', { createdAt: new Date(2000), isOpen: true, amount: amount + 1n }))
    })
    const ids = (where: SQL) => prepared((db) => db.select({ id: things.id }).from(things).where(where))
    const found = (where: SQL, value: unknown) => ids(where)(store.read).execute({ value })
    const value = param('value')
    expect(await found(gt(things.createdAt, value), new Date(1000))).toEqual([{ id: 'b' }])
    expect(await found(eq(things.isOpen, value), false)).toEqual([{ id: 'a' }])
    expect(await found(eq(things.amount, value), amount + 1n)).toEqual([{ id: 'b' }])
    expect(await found(eq(things.amount, value), amount + 2n)).toEqual([])
  })
})

describe('prepared statements', () => {
  test('are built once for all connections, and each runs its own', async () => {
    const store = await tempStore()
    let built = 0
    const all = prepared((db) => {
      built += 1
      return db
        .select({ id: things.id, at: things.createdAt })
        .from(things)
        .where(gt(things.createdAt, param('after')))
    })
    const after = new Date(0)
    const thing = newThing('a', { createdAt: new Date(1000) })
    const row = { id: 'a', at: thing.createdAt }
    for (let round = 0; round < 3; round++) {
      expect(await all(store.read).execute({ after })).toEqual([])
      expect(await store.snapshot((db) => all(db).execute({ after }))).toEqual([])
    }
    await store.commit(async (tx) => {
      await insertThing(tx).execute(thing)
      expect(await all(tx).execute({ after })).toEqual([row])
      // What is not committed is seen by its own connection alone.
      expect(await all(store.read).execute({ after })).toEqual([])
    })
    // Nor by another database, also when the one that it was built on is closed.
    const other = await tempStore()
    expect(await all(other.read).execute({ after })).toEqual([])
    await store.close()
    await other.commit((tx) => insertThing(tx).execute(thing))
    expect(await all(other.read).execute({ after })).toEqual([row])
    expect(built).toBe(1)
  })

  test('run when they are told to, not when they are awaited', async () => {
    const store = await tempStore()
    await store.commit(async (tx) => {
      const inserted = insertThing(tx).execute(newThing('a'))
      expect(await byId(tx).execute({ id: 'a' })).toHaveLength(1)
      await inserted
    })
  })

  test('a missing value is an error that names it', async () => {
    const store = await tempStore()
    expect(byId(store.read).execute({})).rejects.toThrow('"id"')
  })

  test('writes give rows by returning', async () => {
    const store = await tempStore()
    const remove = prepared((db) => db.delete(things).returning({ id: things.id }))
    const insert = prepared((db) => db.insert(things).values(params(things)).onConflictDoNothing().returning())
    const insertA = () => store.commit((tx) => insert(tx).execute(newThing('a')))
    expect(await insertA()).toHaveLength(1)
    expect(await insertA()).toHaveLength(0)
    expect(await store.commit((tx) => remove(tx).execute())).toEqual([{ id: 'a' }])
  })

  test('writes without returning say how many rows they wrote, and the key of the last', async () => {
    const store = await tempStore()
    const insert = prepared((db) => db.insert(things).values(params(things)).onConflictDoNothing(), 'rows')
    const change = prepared(
      (db) =>
        db
          .update(things)
          .set({ label: param('label') })
          .where(eq(things.id, param('id'))),
      'rows',
    )
    const insertPart = prepared((db) => db.insert(parts).values(params(parts)))
    const remove = prepared((db) => db.delete(things), 'rows')
    const insertEvent = prepared((db) => db.insert(outbox).values(params(outbox)), 'key')
    const event = { eventId: 'e', name: 'n', envelope: '{}', createdAt: new Date(), instance: '' }
    const written = await store.commit(async (tx) => {
      const all = [await insert(tx).execute(newThing('a')), await insert(tx).execute(newThing('b'))]
      all.push(await insert(tx).execute(newThing('a')), await change(tx).execute({ id: 'a', label: 'same' }))
      all.push(await change(tx).execute({ id: 'c', label: 'nobody' }))
      await insertPart(tx).execute({ id: 'part', thingId: 'a' })
      return [...all, await remove(tx).execute(), await remove(tx).execute()]
    })
    expect(written).toEqual([1, 1, 0, 1, 0, 2, 0])
    const keys = await store.commit(async (tx) => [
      await insertEvent(tx).execute(event),
      await insertEvent(tx).execute(event),
    ])
    expect(keys).toEqual([1, 2])
  })

  test('the reading connection does not write', async () => {
    const store = await tempStore()
    expect(insertThing(store.read).execute(newThing('a'))).rejects.toThrow('readonly')
  })
})

test('placeholders are made steady, but not what merely looks like one', () => {
  expect(steadied(`select "a?" from "t" where "t"."id" = ? and x = 'it''s ?' limit ?`)).toBe(
    `select "a?" from "t" where "t"."id" = +? and x = 'it''s ?' limit +?`,
  )
  expect(steadied('insert into "t" ("id") values (?)')).toBe('insert into "t" ("id") values (?)')
})
