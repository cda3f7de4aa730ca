import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { eq, remember } from '../src/index'
import { parts, things } from './fixture/things.table'
import { failureOf, tempStore } from './harness'
import { insertThing, newThing } from './writes'

async function counted() {
  const store = await tempStore()
  let reads = 0
  const countOf = remember(store, { tables: [things], most: 2 }, async (id) => {
    reads += 1
    const [row] = await store.read.select().from(things).where(eq(things.id, id))
    return row?.count ?? null
  })
  return { store, countOf, reads: () => reads }
}

describe('remember', () => {
  test('reads once for as long as nobody writes to its tables', async () => {
    const { store, countOf, reads } = await counted()
    await store.commit((tx) => insertThing(tx).execute(newThing('a')))
    expect(await countOf('a')).toBe(0)
    expect(await countOf('a')).toBe(0)
    await store.commit(async (tx) => {
      await tx.delete(parts)
    })
    expect(await countOf('a')).toBe(0)
    expect(reads()).toBe(1)
  })

  test('a caller whose commit was answered sees what it wrote, by statement or by builder', async () => {
    const { store, countOf } = await counted()
    expect(await countOf('a')).toBeNull()
    await store.commit((tx) => insertThing(tx).execute(newThing('a')))
    expect(await countOf('a')).toBe(0)
    await store.commit(async (tx) => {
      await tx.update(things).set({ count: 7 }).where(eq(things.id, 'a'))
    })
    expect(await countOf('a')).toBe(7)
    await store.commit(async (tx) => {
      await tx.delete(things).where(eq(things.id, 'a'))
    })
    expect(await countOf('a')).toBeNull()
  })

  test('what a read rejects with is not kept, and no more than `most` keys are', async () => {
    const { store, countOf, reads } = await counted()
    let broken = true
    const shaky = remember(store, { tables: [things], most: 9 }, async () => {
      if (broken) throw new Error('no')
      return 'yes'
    })
    expect(await failureOf(shaky('x'))).toBeInstanceOf(Error)
    broken = false
    expect(await shaky('x')).toBe('yes')
    for (const id of ['a', 'b', 'c', 'a']) await countOf(id)
    expect(reads()).toBe(4)
  })

  test('what a commit changed while it was read is read anew', async () => {
    const store = await tempStore()
    const reading = Promise.withResolvers<void>()
    const values = ['old', 'new']
    const value = remember(store, { tables: [things], most: 2 }, async () => {
      const found = values.shift() ?? 'newest'
      if (found === 'old') await reading.promise
      return found
    })
    const first = value('a')
    await store.commit((tx) => insertThing(tx).execute(newThing('a')))
    reading.resolve()
    expect(await first).toBe('old')
    expect(await value('a')).toBe('new')
    expect(await value('a')).toBe('new')
  })

  test('never answers with less than what was committed before it was asked, whatever runs at once', async () => {
    const { store, countOf } = await counted()
    await store.commit((tx) => insertThing(tx).execute(newThing('a')))
    let committed = 0
    const add = async () => {
      const count = await store.commit(async (tx) => {
        const [row] = await tx.select().from(things).where(eq(things.id, 'a'))
        const next = (row?.count ?? 0) + 1
        await tx.update(things).set({ count: next }).where(eq(things.id, 'a'))
        return next
      })
      committed = Math.max(committed, count)
    }
    const look = async () => {
      const least = committed
      expect(await countOf('a')).toBeGreaterThanOrEqual(least)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(add, look, look), { maxLength: 60 }), async (steps) => {
        await Promise.all(steps.map((step) => step()))
        expect(await countOf('a')).toBe(committed)
      }),
      { numRuns: 50 },
    )
  })
})
