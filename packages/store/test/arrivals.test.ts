import { describe, expect, test } from 'bun:test'
import {
  CommitFailedError,
  changedRecords,
  follower,
  markChanged,
  type OpenStore,
  putMetaValue,
  type Ranges,
  type Tx,
} from '../src/index'
import { arrivals, changes } from '../src/schema'
import { things } from './fixture/things.table'
import { failureOf, insertThing, newThing, refuse, runRaw, tempStore } from './harness'

const seals = follower('seals', ['entries', 'keys'])

const note = (store: OpenStore, entries: number[], keys: number[] = []) =>
  store.commit(async (tx) => {
    seals.note(tx, 'entries', entries)
    seals.note(tx, 'keys', keys)
  })

async function takeAll(store: OpenStore, most: number): Promise<Ranges[]> {
  const taken: Ranges[] = []
  for (;;) {
    const { entries, keys } = await store.commit((tx) => seals.take(tx, most))
    if (entries.length + keys.length === 0) return taken
    taken.push(entries)
  }
}

describe('a follower', () => {
  test('gets each number once, in the order of the commits, whatever the order of the numbers', async () => {
    const store = await tempStore()
    await note(store, [5, 6, 7])
    expect(await store.commit((tx) => seals.take(tx, 100))).toEqual({ entries: [[5, 7]], keys: [] })
    // A transaction with lower numbers that committed later.
    await note(store, [2, 3], [9])
    await note(store, [8])
    expect(await seals.waiting(store.read)).toEqual({
      entries: [
        [2, 3],
        [8, 8],
      ],
      keys: [[9, 9]],
    })
    expect(await store.commit((tx) => seals.take(tx, 100))).toEqual({
      entries: [
        [2, 3],
        [8, 8],
      ],
      keys: [[9, 9]],
    })
    expect([await seals.oldest(store.read), await takeAll(store, 100)]).toEqual([null, []])
  })

  test('takes no more than it can, and the rest later', async () => {
    const store = await tempStore()
    await note(store, [1, 2, 3, 4, 5])
    await note(store, [6, 7], [1])
    expect(await takeAll(store, 3)).toEqual([[[1, 3]], [[4, 6]], [[7, 7]]])
  })

  test('takes nothing when its commit fails', async () => {
    const store = await tempStore()
    await note(store, [1, 2])
    const failing = store.commit(async (tx) => {
      await seals.take(tx, 1)
      refuse()
    })
    await failing.catch(() => {})
    expect(await takeAll(store, 9)).toEqual([[[1, 2]]])
  })

  test('bodies of one transaction are one row; what a failed one listed is not there', async () => {
    const store = await tempStore()
    const bodies = Array.from({ length: 8 }, (_, i) =>
      store.commit(async (tx) => {
        seals.note(tx, 'entries', [i])
        if (i === 3) refuse()
      }),
    )
    await Promise.allSettled(bodies)
    expect(await store.read.select().from(arrivals)).toMatchObject([
      {
        follower: 'seals',
        rows: {
          entries: [
            [0, 2],
            [4, 7],
          ],
        },
      },
    ])
  })

  test('when the list cannot be written, nothing of the transaction is', async () => {
    const store = await tempStore()
    await store.commit(async (tx) => runRaw(tx, 'DROP TABLE arrivals'))
    const failing = store.commit(async (tx) => {
      seals.note(tx, 'entries', [1])
      await insertThing(tx).execute(newThing('a'))
    })
    expect(await failureOf(failing)).toBeInstanceOf(CommitFailedError)
    expect(await store.read.$count(things)).toBe(0)
    await store.commit((tx) => insertThing(tx).execute(newThing('b')))
    expect(await store.read.$count(things)).toBe(1)
  })

  test('each has its own list', async () => {
    const store = await tempStore()
    const other = follower('other', ['entries'])
    await store.commit(async (tx) => {
      seals.note(tx, 'entries', [1])
      other.note(tx, 'entries', [2])
    })
    expect(await takeAll(store, 9)).toEqual([[[1, 1]]])
    expect(await other.waiting(store.read)).toEqual({ entries: [[2, 2]] })
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
    expect(() => seals.note(kept as Tx, 'entries', [1])).toThrow('Rows for seals were listed outside a commit')
  })
})

describe('changes', () => {
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
  /** As if a transaction that was given a lower number committed now. */
  const commitLate = (store: OpenStore, id: string, seq: number) =>
    store.commit(async (tx) => {
      await insertThing(tx).execute(newThing(id))
      await tx.insert(changes).values({ seq, kind: 'thing', recordId: id })
      follower('replicas', ['changes']).note(tx, 'changes', [seq])
    })

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
    await commitLate(store, 'late', 3)
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
    await commitLate(store, 'early enough', 15)
    expect(await page(store, 7)).toEqual([
      ['b', 8],
      ['early enough', 15],
      ['c', 21],
    ])
  })
})
