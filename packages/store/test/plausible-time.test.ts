// A clock that is ahead for a while, and is set right again, empties nothing that time keeps.
import { describe, expect, test } from 'bun:test'
import { type Log, silentLog } from '@bursar/contracts/log'
import { asc, lt, param, prepared, type Retained, startRetiring, startSweeper } from '../src/index'
import { idempotencyKeys, inbox } from '../src/schema'
import { things } from './fixture/things.table'
import { afterTest, heldWriter, insertThing, newThing, tempStore, thingIds } from './harness'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const noon = new Date('2026-01-31T12:00:00.000Z')
const daysAgo = (days: number) => new Date(noon.getTime() - days * dayMs)

/** A clock, and the time that really passes. */
function clock() {
  let [told, passed] = [noon.getTime(), 0]
  return {
    now: () => new Date(told),
    passed: () => passed,
    /** So long passes, for the clock as well. */
    wait(ms: number) {
      passed += ms
      told += ms
    },
    /** The clock alone moves. */
    jump(ms: number) {
      told += ms
    },
  }
}

const oldest = prepared((db) =>
  db
    .select({ id: things.id, createdAt: things.createdAt })
    .from(things)
    .where(lt(things.createdAt, param('before')))
    .orderBy(asc(things.createdAt))
    .limit(param('limit')),
)
const remove = prepared((db) => db.delete(things).where(lt(things.id, param('upTo'))))
/** Things are named by their ages in hours, the oldest first. */
const retained: Retained<{ id: string; createdAt: Date }> = {
  table: 'things',
  oldest: (db, given) => oldest(db).execute(given),
  named: ({ createdAt, id }) => ({ at: createdAt, key: id }),
  async remove(tx, rows) {
    await remove(tx).execute({ upTo: `${rows.at(-1)?.id}x` })
    return rows.length
  },
}

const nameOf = (days: number) => String(9999 - days * 24)
const ageOf = (name: string) => (9999 - Number(name)) / 24

async function retiring(days: readonly number[]) {
  const lines: string[] = []
  const log: Log = {
    ...silentLog,
    warn: (_: object, message: string) => void (message !== heldWriter && lines.push(message)),
  }
  const store = await tempStore({ log })
  const add = (age: number) =>
    store.commit((tx) => insertThing(tx).execute(newThing(nameOf(age), { createdAt: daysAgo(age) })))
  for (const age of days) await add(age)
  const start = (time: ReturnType<typeof clock>) => {
    const loop = startRetiring([{ retained, days: 30 }], { store, folder: null, ...time })
    afterTest(() => loop.stop())
    return loop
  }
  const ages = async () => (await thingIds(store)).map(ageOf).sort((a, b) => a - b)
  return { lines, start, ages, add }
}

describe('the retention of old rows', () => {
  test('a clock that is ahead by more than a day is told of', async () => {
    const { start, lines } = await retiring([])
    const time = clock()
    const loop = start(time)
    await loop.runNow()
    time.jump(dayMs)
    await loop.runNow()
    expect(lines).toEqual([])
    time.jump(1)
    await loop.runNow()
    expect(lines).toHaveLength(1)
  })

  test('a clock that is a year ahead makes rows four hours older in an hour, also across starts', async () => {
    const { start, ages, lines } = await retiring([40, 29.875, 29.75, 29, 10])
    const time = clock()
    const loop = start(time)
    await loop.runNow()
    expect([await ages(), lines]).toEqual([[10, 29, 29.75, 29.875], []])
    time.jump(365 * dayMs)
    await loop.runNow()
    expect([await ages(), lines.length]).toEqual([[10, 29, 29.75, 29.875], 1])
    time.wait(hourMs)
    await loop.runNow()
    await loop.runNow()
    expect(await ages()).toEqual([10, 29, 29.75])
    // A start has nothing to go by but what is noted.
    const next = start(time)
    await next.runNow()
    time.wait(hourMs)
    await next.runNow()
    expect(await ages()).toEqual([10, 29])
    time.jump(-365 * dayMs)
    await next.runNow()
    expect(await ages()).toEqual([10, 29])
    time.wait(dayMs)
    await next.runNow()
    expect(await ages()).toEqual([10])
  })

  test('a service that was off for a month has caught up after ten days', async () => {
    const { start, ages } = await retiring([10, 1])
    const time = clock()
    await start(time).runNow()
    time.jump(30 * dayMs)
    const loop = start(time)
    for (let day = 0; day < 6; day++) {
      await loop.runNow()
      time.wait(dayMs)
    }
    expect(await ages()).toEqual([1, 10])
    for (let day = 0; day < 6; day++) {
      await loop.runNow()
      time.wait(dayMs)
    }
    expect(await ages()).toEqual([])
  })

  test('a clock that was ahead at the first run is no time to delete by once it is right', async () => {
    const { start, ages, add } = await retiring([])
    const time = clock()
    time.jump(365 * dayMs)
    const loop = start(time)
    await loop.runNow()
    time.jump(-365 * dayMs)
    await add(29)
    await loop.runNow()
    expect(await ages()).toEqual([29])
  })

  test('a clock that was in 1970 for one run delays the next ones by minutes', async () => {
    const { start, ages } = await retiring([29.875, 10])
    const time = clock()
    const loop = start(time)
    await loop.runNow()
    time.jump(-noon.getTime())
    time.wait(60_000)
    await loop.runNow()
    time.jump(noon.getTime())
    time.wait(3 * hourMs)
    await loop.runNow()
    expect(await ages()).toEqual([10])
  })
})

test('a clock that was a year ahead leaves the receipts of events, and the keys of requests', async () => {
  const store = await tempStore()
  const time = clock()
  const sweeper = startSweeper(store, time)
  afterTest(() => sweeper.stop())
  await sweeper.runNow()
  const eventId = Bun.randomUUIDv7('hex', noon.getTime())
  const key = { scope: 's', key: 'k', requestHash: 'h', status: 201, body: '{}', headers: null, createdAt: noon }
  await store.commit(async (tx) => {
    await tx.insert(inbox).values({ eventId, receivedAt: noon })
    await tx.insert(idempotencyKeys).values({ ...key, expiresAt: new Date(noon.getTime() + dayMs) })
  })
  time.jump(365 * dayMs)
  time.wait(10 * 60_000)
  await sweeper.runNow()
  expect(await store.read.select({ key: idempotencyKeys.key }).from(idempotencyKeys)).toHaveLength(1)
  expect(await store.read.select({ eventId: inbox.eventId }).from(inbox)).toEqual([{ eventId }])
})
