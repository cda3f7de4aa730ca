import { describe, expect, test } from 'bun:test'
import { receive, startSweeper, sweepStore, type Tx } from '../src/index'
import { idempotencyKeys, inbox } from '../src/schema'
import { envelope, failureOf, insertThing, newThing, tempStore, thingIds } from './harness'

const ids = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(3, '0'))

describe('receive', () => {
  test('acts once on an event that is delivered many times, also at once', async () => {
    const store = await tempStore()
    let acted = 0
    const deliver = (id: string) =>
      receive(store, envelope(id), async (tx) => {
        acted += 1
        await insertThing(tx).execute(newThing(id))
      })
    const answers = await Promise.all(['a', 'b', 'a', 'a', 'b'].map(deliver))
    expect(answers).toEqual([true, true, false, false, false])
    expect(await deliver('a')).toBe(false)
    expect(await thingIds(store)).toEqual(['a', 'b'])
    expect(acted).toBe(2)
  })

  test('a body that throws leaves no receipt, so that the event may come again', async () => {
    const store = await tempStore()
    const fails = receive(store, envelope('a'), async (tx) => {
      await insertThing(tx).execute(newThing('a'))
      throw new Error('not now')
    })
    expect(await failureOf(fails)).toEqual(new Error('not now'))
    expect(await thingIds(store)).toEqual([])
    expect(await receive(store, envelope('a'), async () => {})).toBe(true)
  })

  test('events that arrive together share a commit, at most 128, each acted on in its turn', async () => {
    const store = await tempStore()
    const commits: (readonly string[])[] = []
    const acted: string[] = []
    const counted = {
      ...store,
      commit: async <T>(body: (tx: Tx) => Promise<T>) => {
        const before = acted.length
        const value = await store.commit(body)
        commits.push(acted.slice(before))
        return value
      },
    }
    const all = ids(300)
    await Promise.all(all.map((id) => receive(counted, envelope(id), async () => void acted.push(id))))
    expect(acted).toEqual(all)
    expect(commits.length).toBe(3)
    await receive(counted, envelope('z'), async () => {})
    expect(commits.length).toBe(4)
  })

  test('a repeat costs those that arrive with it a second commit, which they share', async () => {
    const store = await tempStore()
    const [known, ...fresh] = ids(100)
    await receive(store, envelope(known as string), async () => {})
    let commits = 0
    const counted = {
      ...store,
      commit: <T>(body: (tx: Tx) => Promise<T>) => {
        commits += 1
        return store.commit(body)
      },
    }
    const acted: string[] = []
    const deliver = (id: string) => receive(counted, envelope(id), async () => void acted.push(id))
    const answers = await Promise.all([...fresh, known as string].map(deliver))
    expect(answers).toEqual([...fresh.map(() => true), false])
    expect(acted).toEqual(fresh)
    expect(commits).toBe(2)
  })

  test('one that throws neither blocks nor undoes those that arrived with it', async () => {
    const store = await tempStore()
    const outcomes = await Promise.allSettled(
      ids(200).map((id, n) =>
        receive(store, envelope(id), async (tx) => {
          await insertThing(tx).execute(newThing(id))
          if (n % 70 === 7) throw new Error(`not ${id}`)
        }),
      ),
    )
    const failed = [7, 77, 147].map((n) => ids(200)[n] ?? '')
    expect(outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.message] : []))).toEqual(
      failed.map((id) => `not ${id}`),
    )
    expect(await thingIds(store)).toEqual(ids(200).filter((id) => !failed.includes(id)))
    const again = await Promise.all(ids(200).map((id) => receive(store, envelope(id), async () => {})))
    expect(again.filter(Boolean)).toHaveLength(3)
  })

  test('a repeat among those that arrive together does nothing, also when another one throws', async () => {
    const store = await tempStore()
    const act = (id: string, fails = false) =>
      receive(store, envelope(id), async (tx) => {
        await insertThing(tx).execute(newThing(id))
        if (fails) throw new Error('not now')
      })
    const outcomes = await Promise.allSettled([act('a'), act('b', true), act('a'), act('c')])
    expect(outcomes.map((each) => (each.status === 'fulfilled' ? each.value : null))).toEqual([true, null, false, true])
    expect(await thingIds(store)).toEqual(['a', 'c'])
  })
})

describe('sweeping', () => {
  const now = new Date('2026-03-15T12:00:00Z')
  const before = (ms: number) => new Date(now.getTime() - ms)
  const days = 24 * 60 * 60 * 1000

  /** The id of an event that was made then. */
  const madeAt = (at: Date) => Bun.randomUUIDv7('hex', at.getTime())

  test('receipts go after 45 days, however many: no dead letter is retried that long', async () => {
    const store = await tempStore()
    const old = Array.from({ length: 1203 }, (_, n) => before(45 * days + 1 + n))
    const kept = madeAt(before(45 * days))
    await store.commit(async (tx) => {
      await tx.insert(inbox).values(old.map((at) => ({ eventId: madeAt(at), receivedAt: at })))
      await tx.insert(inbox).values({ eventId: kept, receivedAt: before(45 * days) })
    })
    await sweepStore(store, now)
    expect(await store.read.select({ id: inbox.eventId }).from(inbox)).toEqual([{ id: kept }])
  })

  test('an old event that was acted on late is known for 45 days more', async () => {
    const store = await tempStore()
    const [late, forgotten] = [madeAt(before(60 * days)), madeAt(before(70 * days))]
    await store.commit(async (tx) => {
      await tx.insert(inbox).values({ eventId: late, receivedAt: before(45 * days) })
      await tx.insert(inbox).values({ eventId: forgotten, receivedAt: before(45 * days + 1) })
    })
    await sweepStore(store, now)
    expect(await store.read.select({ id: inbox.eventId }).from(inbox)).toEqual([{ id: late }])
  })

  test('a stop waits for the rows of one commit, not for all that are old; the next start deletes them', async () => {
    const store = await tempStore()
    const old = Array.from({ length: 1203 }, (_, n) => before(46 * days + n))
    await store.commit(async (tx) => {
      await tx.insert(inbox).values(old.map((at) => ({ eventId: madeAt(at), receivedAt: at })))
    })
    const sweeper = startSweeper(store, { now: () => now })
    const swept = sweeper.runNow()
    await Promise.all([sweeper.stop(), swept])
    expect((await store.read.select().from(inbox)).length).toBeGreaterThan(0)
    const next = startSweeper(store, { now: () => now })
    await next.runNow()
    await next.stop()
    expect(await store.read.select().from(inbox)).toEqual([])
  })

  test('idempotency keys go when they expire, and those without an end stay', async () => {
    const store = await tempStore()
    const row = { scope: 's', requestHash: 'h', status: 201, body: '{}', headers: null, createdAt: before(days) }
    await store.commit(async (tx) => {
      await tx.insert(idempotencyKeys).values([
        { ...row, key: 'expired', expiresAt: before(1) },
        { ...row, key: 'valid', expiresAt: now },
        { ...row, key: 'for ever', expiresAt: null },
      ])
    })
    await sweepStore(store, now)
    const keys = await store.read.select({ key: idempotencyKeys.key }).from(idempotencyKeys)
    expect(keys.map(({ key }) => key).sort()).toEqual(['for ever', 'valid'])
  })
})
