import { describe, expect, test } from 'bun:test'
import { eq, isNull } from 'drizzle-orm'
import {
  changedRecords,
  type Followed,
  followed,
  follower,
  markChanged,
  type OpenStore,
  prepared,
  putMetaValue,
  type Ranges,
  type Tx,
} from '../src/index'
import { arrivals, changes, idempotencyKeys } from '../src/schema'
import { params } from '../src/statements/statements'
import { things } from './fixture/things.table'
import { insertThing, newThing, refuse, runRaw, serverUrl, tempStore } from './harness'

// Entries are rows of `changes`, all of which are followed; keys are those that never expire.
const rows = followed('seals', ['entries', 'keys'])
const sources = {
  entries: { number: changes.seq },
  keys: { number: idempotencyKeys.seq, only: isNull(idempotencyKeys.expiresAt) },
}
const seals = follower(rows, sources)

const addEntry = prepared((db) => db.insert(changes).values({ kind: 'x', recordId: params(changes).recordId }), 'key')
const addKey = prepared((db) => db.insert(idempotencyKeys).values(params(idempotencyKeys)), 'key')

/** Adds so many entries, and one key for each of these: for ever, or for a day. */
async function add(tx: Tx, entries: number, keys: readonly ('ever' | 'day')[] = []): Promise<void> {
  for (let i = 0; i < entries; i++) {
    rows.note(tx, 'entries', [await addEntry(tx).execute({ recordId: crypto.randomUUID() })])
  }
  for (const key of keys) {
    const seq = await addKey(tx).execute({
      scope: 's',
      key: crypto.randomUUID(),
      requestHash: '',
      status: 200,
      body: '{}',
      headers: null,
      createdAt: new Date(0),
      expiresAt: key === 'day' ? new Date(1) : null,
    })
    if (key === 'ever') rows.note(tx, 'keys', [seq])
  }
}

const commitRows = (store: OpenStore, entries: number, keys: readonly ('ever' | 'day')[] = []) =>
  store.commit((tx) => add(tx, entries, keys))

const take = (store: OpenStore, most: number) => store.commit((tx) => seals.take(tx, most))

async function takeAll(store: OpenStore, most: number): Promise<[entries: Ranges, keys: Ranges][]> {
  const taken: [Ranges, Ranges][] = []
  for (;;) {
    const { entries, keys } = await take(store, most)
    if (entries.length + keys.length === 0) return taken
    taken.push([entries, keys])
  }
}

describe('a follower', () => {
  test('gets each row once, in the order of the commits', async () => {
    const store = await tempStore()
    expect(await seals.waiting(store.read)).toEqual({ entries: [], keys: [] })
    await commitRows(store, 3)
    expect(await take(store, 100)).toEqual({ entries: [[1, 3]], keys: [] })
    await commitRows(store, 1, ['ever'])
    await commitRows(store, 2)
    const next = { entries: [[4, 6]], keys: [[1, 1]] }
    expect(await seals.waiting(store.read)).toEqual(next as never)
    expect(await take(store, 100)).toEqual(next as never)
    expect([await seals.oldest(store.read), await takeAll(store, 100)]).toEqual([null, []])
  })

  test('gets as many rows as it asks for, of however many commits', async () => {
    const store = await tempStore()
    await Promise.all(Array.from({ length: 250 }, () => commitRows(store, 1)))
    expect(await take(store, 240)).toEqual({ entries: [[1, 240]], keys: [] })
    expect(await take(store, 240)).toEqual({ entries: [[241, 250]], keys: [] })
  })

  test('knows the highest numbers that it has acted on', async () => {
    const store = await tempStore()
    expect(await seals.highest(store.read)).toEqual({ entries: 0, keys: 0 })
    await commitRows(store, 5)
    expect(await seals.highest(store.read)).toEqual({ entries: 0, keys: 0 })
    await take(store, 3)
    expect(await seals.highest(store.read)).toEqual({ entries: 3, keys: 0 })
    await commitRows(store, 1, ['ever'])
    await takeAll(store, 100)
    expect(await seals.highest(store.read)).toEqual({ entries: 6, keys: 1 })
    await store.commit(async (tx) => void (await tx.delete(changes)))
    expect((await seals.highest(store.read)).entries).toBe(6)
  })

  test('takes no more than it can, and the rest later', async () => {
    const store = await tempStore()
    await commitRows(store, 5)
    await commitRows(store, 2, ['ever', 'ever'])
    const taken = await takeAll(store, 3)
    expect(taken.flatMap(([entries]) => entries)).toEqual([
      [1, 3],
      [4, 6],
      [7, 7],
    ])
    expect(taken.flatMap(([, keys]) => keys)).toEqual([[1, 2]])
  })

  test('takes nothing when its commit fails', async () => {
    const store = await tempStore()
    await commitRows(store, 2)
    const failing = store.commit(async (tx) => {
      await seals.take(tx, 1)
      refuse()
    })
    await failing.catch(() => {})
    expect(await takeAll(store, 9)).toEqual([[[[1, 2]], []]])
  })

  test('gets nothing of a body that failed', async () => {
    const store = await tempStore()
    const bodies = Array.from({ length: 4 }, (_, i) =>
      store.commit(async (tx) => {
        await add(tx, 1)
        if (i === 1) refuse()
      }),
    )
    await Promise.allSettled(bodies)
    const { entries } = await take(store, 9)
    const numbers = (await store.read.select().from(changes)).map(({ seq }) => seq)
    expect(entries.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i))).toEqual(numbers)
    expect(numbers.length).toBe(3)
  })

  test('passes rows that are not followed', async () => {
    const store = await tempStore()
    await commitRows(store, 0, ['day', 'ever', 'day', 'day', 'ever', 'day'])
    const keys = [
      [2, 2],
      [5, 5],
    ]
    expect(await seals.waiting(store.read)).toEqual({ entries: [], keys } as never)
    expect(await take(store, 1)).toEqual({ entries: [], keys: [[2, 2]] })
    expect(await take(store, 9)).toEqual({ entries: [], keys: [[5, 5]] })
    expect(await seals.oldest(store.read)).toBeNull()
  })

  test('tells by a number whether it goes on', async () => {
    const store = await tempStore()
    await commitRows(store, 3, ['ever'])
    const seen = [await seals.oldest(store.read)]
    await commitRows(store, 1)
    seen.push(await seals.oldest(store.read))
    await take(store, 4)
    seen.push(await seals.oldest(store.read))
    const [first, again, later] = seen as [number, number, number]
    expect(again).toBe(first)
    expect(later).toBeGreaterThan(first)
  })

  test('each has its own place', async () => {
    const store = await tempStore()
    const others = followed('other', ['entries'])
    const other = follower(others, { entries: sources.entries })
    await store.commit(async (tx) => {
      await add(tx, 1)
      others.note(tx, 'entries', [1])
    })
    expect(await takeAll(store, 9)).toEqual([[[[1, 1]], []]])
    expect(await other.waiting(store.read)).toEqual({ entries: [[1, 1]] })
  })
})

describe.skipIf(serverUrl !== null)('a follower of the only writer', () => {
  test('misses rows that were erased past it: their numbers were given', async () => {
    const store = await tempStore()
    await commitRows(store, 4)
    await store.commit(async (tx) => runRaw(tx, 'DELETE FROM changes WHERE seq IN (2, 4)'))
    expect(await seals.waiting(store.read)).toEqual({ entries: [[1, 4]], keys: [] })
  })

  test('costs a commit nothing', async () => {
    const store = await tempStore()
    await commitRows(store, 1, ['ever'])
    expect(await store.read.$count(arrivals)).toBe(0)
  })
})

// These need a server: postgres.test.ts runs them on one of its own.
const onServer = describe.skipIf(serverUrl === null)

/** As if a transaction that was given a lower number committed now. */
const commitLate = <K extends string>(store: OpenStore, of: Followed<K>, kind: K, seq: number, id = 'late') =>
  store.commit(async (tx) => {
    await insertThing(tx).execute(newThing(id))
    await tx.insert(changes).values({ seq, kind: 'thing', recordId: id })
    of.note(tx, kind, [seq])
  })

onServer('a follower of transactions that commit in any order', () => {
  test('gets one that commits late', async () => {
    const store = await tempStore()
    await commitRows(store, 3)
    await takeAll(store, 100)
    await store.commit(async (tx) => void (await tx.update(changes).set({ seq: 9 }).where(eq(changes.seq, 2))))
    await commitLate(store, rows, 'entries', 2)
    expect(await seals.waiting(store.read)).toEqual({ entries: [[2, 2]], keys: [] })
    expect([await takeAll(store, 100), (await seals.highest(store.read)).entries]).toEqual([[[[[2, 2]], []]], 3])
  })

  test('has one row for all bodies of a transaction', async () => {
    const store = await tempStore()
    const bodies = Array.from({ length: 8 }, (_, i) => store.commit((tx) => add(tx, 1), `account ${i}`))
    await Promise.all(bodies)
    expect(await store.read.select().from(arrivals)).toMatchObject([{ follower: 'seals', rows: { entries: [[1, 8]] } }])
  })

  test('a commit that lists nothing writes nothing', async () => {
    const store = await tempStore()
    await store.commit((tx) => insertThing(tx).execute(newThing('a')))
    expect(await store.read.$count(arrivals)).toBe(0)
  })

  test('numbers are listed in a commit alone', async () => {
    const store = await tempStore()
    let kept: Tx | undefined
    await store.commit(async (tx) => {
      kept = tx
    })
    expect(() => rows.note(kept as Tx, 'entries', [1])).toThrow('Rows for seals were listed outside a commit')
  })
})

const records = changedRecords('thing', things)
const make = (store: OpenStore, id: string) =>
  store.commit(async (tx) => {
    await insertThing(tx).execute(newThing(id))
    return await records.mark(tx, id)
  })
const page = async (store: OpenStore, after: number) => {
  const { items } = await records.pageAfter(store, after, ({ id }) => id)
  return items.map(({ record, version }) => [record, version])
}
/** Gives so many numbers to a change of another kind, of which the last one stays. */
const giveNumbers = async (store: OpenStore, count: number) => {
  for (let i = 0; i < count; i++) await store.commit((tx) => markChanged(tx, 'old', 'x'))
}
const replicas = followed('replicas', ['changes'])

describe('changes', () => {
  test('are told after they are settled, each once', async () => {
    const store = await tempStore()
    await make(store, 'a')
    await make(store, 'b')
    expect(await page(store, 0)).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    expect(await page(store, 2)).toEqual([])
    expect(await store.read.$count(arrivals)).toBe(0)
  })
})

onServer('changes that are committed in any order', () => {
  test('none is told that was committed while the others were settled', async () => {
    const store = await tempStore()
    for (const id of ['a', 'b']) await make(store, id)
    await page(store, 0)
    await store.commit((tx) => putMetaValue(tx, 'settled changes', '1'))
    expect(await page(store, 0)).toEqual([['a', 1]])
  })

  test('one that is committed late is told to replicas that have passed its version', async () => {
    const store = await tempStore()
    await giveNumbers(store, 5)
    await make(store, 'a')
    expect(await page(store, 0)).toEqual([['a', 6]])
    await commitLate(store, replicas, 'changes', 3)
    expect(await page(store, 6)).toEqual([['late', 7]])
    // And to those that begin.
    expect(await page(store, 0)).toEqual([
      ['a', 6],
      ['late', 7],
    ])
    // Before its page was read: it has its place.
    await make(store, 'b')
    await giveNumbers(store, 12)
    await make(store, 'c')
    await commitLate(store, replicas, 'changes', 15, 'early enough')
    expect(await page(store, 7)).toEqual([
      ['b', 8],
      ['early enough', 15],
      ['c', 21],
    ])
  })
})
