import { expect, test } from 'bun:test'
import { asc, count, eq, max, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { type Db, prepared } from '../src/index'
import { parts, things } from './fixture/things.table'
import { insertPart, insertThing, newThing, tempStore } from './harness'

type Query = PromiseLike<unknown[]> & { prepare(): never }

/** Queries of every form that the services use; run by Drizzle as it is, and prepared. */
const queries: Record<string, (db: Db) => unknown> = {
  'all columns': (db) => db.select().from(things).orderBy(asc(things.id)),
  'some columns under other names': (db) =>
    db.select({ key: things.id, at: things.createdAt, fee: things.fee }).from(things).orderBy(asc(things.id)),
  'a join that may find nothing': (db) =>
    db.select().from(things).leftJoin(parts, eq(parts.thingId, things.id)).orderBy(asc(things.id), asc(parts.id)),
  'a join that finds something': (db) =>
    db.select().from(parts).innerJoin(things, eq(parts.thingId, things.id)).orderBy(asc(parts.id)),
  'columns of two tables, side by side and in groups': (db) =>
    db
      .select({ id: things.id, isOpen: things.isOpen, part: { id: parts.id, thing: parts.thingId } })
      .from(things)
      .leftJoin(parts, eq(parts.thingId, things.id))
      .orderBy(asc(things.id), asc(parts.id)),
  'a group of two tables': (db) =>
    db
      .select({ both: { part: parts.id, amount: things.amount } })
      .from(things)
      .leftJoin(parts, eq(parts.thingId, things.id))
      .orderBy(asc(things.id), asc(parts.id)),
  'counts and expressions': (db) =>
    db.select({ total: count(), newest: max(things.createdAt), text: sql<string>`'it''s ' || count(*)` }).from(things),
  'a subquery as a column': (db) =>
    db
      .select({
        id: things.id,
        parts: sql<number>`${db.select({ n: count() }).from(parts).where(eq(parts.thingId, things.id))}`,
      })
      .from(things)
      .orderBy(asc(things.id)),
}

const thing = fc.record({
  label: fc.option(fc.string()),
  count: fc.integer(),
  ratio: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  isOpen: fc.boolean(),
  isKnown: fc.option(fc.boolean()),
  data: fc.dictionary(fc.string(), fc.jsonValue()),
  extra: fc.option(fc.array(fc.jsonValue())),
  createdAt: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
  endedAt: fc.option(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })),
  amount: fc.bigInt(-(10n ** 30n), 10n ** 30n),
  fee: fc.option(fc.bigInt(-(10n ** 30n), 10n ** 30n)),
  parts: fc.integer({ min: 0, max: 2 }),
})

test('a prepared statement gives what Drizzle gives, whatever the query and the values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(thing, { maxLength: 5 }), async (list) => {
      const store = await tempStore()
      await store.commit(async (tx) => {
        for (const [n, { parts: partCount, ...values }] of list.entries()) {
          await insertThing(tx).execute(newThing(`thing-${n}`, values as never))
          for (let i = 0; i < partCount; i++) await insertPart(tx).execute({ id: `${n}-${i}`, thingId: `thing-${n}` })
        }
      })
      for (const build of Object.values(queries)) {
        const own = await (build(store.read) as Query)
        const statement = prepared((db) => build(db) as never)
        expect(await statement(store.read).execute()).toEqual(own as never)
      }
    }),
    { numRuns: 40 },
  )
})
