// Who goes through rows and keeps no place in the database, as an audit does.
import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { lateReader } from '../src/followers/reader'
import { type OpenStore, type Ranges, type RowReader, rowReader } from '../src/index'
import { changes } from '../src/schema'
import { refuse, serverUrl, tempStore } from './harness'

describe('a reader', () => {
  const number = changes.seq
  const addAt = (store: OpenStore, ...seqs: number[]) =>
    store.commit(async (tx) => {
      for (const seq of seqs) await tx.insert(changes).values({ seq, kind: 'x', recordId: `${seq}` })
    })
  async function nextOf(store: OpenStore, reader: RowReader, most: number): Promise<[number, Ranges]> {
    let found: Ranges = []
    const count = await store.snapshot((db) =>
      reader.next(db, most, async (ranges) => {
        found = ranges
      }),
    )
    return [count, found]
  }

  test('gets each row once, and is told when it has all', async () => {
    const store = await tempStore()
    const reader = rowReader({ number })
    expect(await nextOf(store, reader, 9)).toEqual([0, []])
    await addAt(store, 1, 2, 3, 4, 5)
    expect(await nextOf(store, reader, 2)).toEqual([2, [[1, 2]]])
    expect(await nextOf(store, reader, 9)).toEqual([3, [[3, 5]]])
    expect(await nextOf(store, reader, 9)).toEqual([0, []])
  })

  test.skipIf(serverUrl !== null)('misses rows that were erased where numbers have no gaps', async () => {
    const store = await tempStore()
    const reader = rowReader({ number })
    await addAt(store, 1, 2, 3, 4)
    await store.commit(async (tx) => void (await tx.delete(changes).where(eq(number, 4))))
    expect(await nextOf(store, reader, 9)).toEqual([4, [[1, 4]]])
  })

  test('gets those that were committed late, before later ones', async () => {
    const store = await tempStore()
    const reader = lateReader({ number })
    await addAt(store, 1, 2, 5, 9)
    expect(await nextOf(store, reader, 3)).toEqual([
      3,
      [
        [1, 2],
        [5, 5],
      ],
    ])
    await addAt(store, 4, 10)
    expect(await nextOf(store, reader, 9)).toEqual([
      3,
      [
        [4, 4],
        [9, 10],
      ],
    ])
    await addAt(store, 3, 7)
    expect(await nextOf(store, reader, 9)).toEqual([
      2,
      [
        [3, 3],
        [7, 7],
      ],
    ])
    expect(await nextOf(store, reader, 9)).toEqual([0, []])
  })

  test('reads the newest state by itself, in a snapshot where rows may be late', async () => {
    const store = await tempStore()
    await addAt(store, 1, 2, 3)
    let snapshots = 0
    const source: Parameters<RowReader['nextNow']>[0] = {
      read: store.read,
      snapshot(body) {
        snapshots += 1
        return store.snapshot(body)
      },
    }
    for (const [reader, wanted] of [
      [rowReader({ number }), serverUrl === null ? 0 : 3],
      [lateReader({ number }), 3],
    ] as const) {
      snapshots = 0
      const found: Ranges[] = []
      const next = () => reader.nextNow(source, 2, () => async (ranges) => void found.push(ranges))
      expect([await next(), await next(), await next()]).toEqual([2, 1, 0])
      expect(found).toEqual([[[1, 2]], [[3, 3]]])
      expect(snapshots).toBe(wanted)
    }
  })

  test('gets rows again that it could not read', async () => {
    const store = await tempStore()
    const readers = [rowReader({ number }), lateReader({ number })]
    await addAt(store, 1, 2)
    for (const reader of readers) {
      const failing = store.snapshot((db) => reader.next(db, 9, async () => refuse()))
      await expect(failing).rejects.toThrow()
      expect(await nextOf(store, reader, 9)).toEqual([2, [[1, 2]]])
    }
  })

  test('no longer looks for numbers that nobody can commit', async () => {
    const store = await tempStore()
    let nowMs = 0
    const reader = lateReader({ number }, () => nowMs)
    await addAt(store, 1, 4)
    await nextOf(store, reader, 9)
    nowMs = 119_000
    await addAt(store, 2)
    expect((await nextOf(store, reader, 9))[0]).toBe(1)
    nowMs = 121_000
    await addAt(store, 3)
    expect((await nextOf(store, reader, 9))[0]).toBe(0)
  })
})
