// Commits of a batch do what single ones would do one after another, and one that fails takes no other with it.
import { describe, expect, test } from 'bun:test'
import type { Envelope } from '@bursar/contracts/event'
import {
  batched,
  insertAll,
  NestedCommitError,
  receive,
  receiveAll,
  rowsOf,
  type Store,
  UnknownOutcomeError,
} from '../src/index'
import { things } from './fixture/things.table'
import { envelope, failureOf, newThing, tempStore, thingIds } from './harness'
import { eventNameOf } from './writes'

const ids = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(4, '0'))
const insertThings = insertAll(things)
const thingsOf = rowsOf(things, 'id')

describe('batched', () => {
  interface Item {
    id: string
    label?: string
    fails?: boolean
  }
  function keeping() {
    const runs: string[][] = []
    const keep = batched(
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

  test('two of one key are never in one batch: the first is written before the second is looked at', async () => {
    const store = await tempStore()
    const { keep, runs } = keeping()
    const given = ['a', 'b', 'a', 'c', 'a'].map((id, i) => keep(store, { id, label: String(i) }))
    expect(await Promise.all(given)).toEqual(['new a', 'new b', 'known', 'new c', 'known'])
    expect(runs).toEqual([['a', 'b'], ['a', 'c'], ['a']])
    expect((await thingsOf(store.read, ['a']))[0]?.label).toBe('0')
  })

  test('a batch takes at most 256, and batches of two stores or two bodies are apart', async () => {
    const [one, other] = [await tempStore(), await tempStore()]
    const { keep, runs } = keeping()
    const { keep: keepElsewhere, runs: elsewhere } = keeping()
    const all = ids(300).map((id) => keep(one, { id }))
    await Promise.all([...all, keep(other, { id: 'x' }), keepElsewhere(one, { id: 'y' })])
    expect(runs.map(({ length }) => length).sort((a, b) => a - b)).toEqual([1, 44, 256])
    expect(elsewhere).toEqual([['y']])
    expect(await thingIds(other)).toEqual(['x'])
  })

  test('a body that runs again, because another one threw, has the same batch; one given meanwhile is of the next', async () => {
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

  test('what is given inside a commit is refused, whether there is a batch or not: it would wait for itself', async () => {
    const store = await tempStore()
    const { keep } = keeping()
    const inside = (id: string) => store.commit(async () => void (await keep(store, { id })))
    expect(await failureOf(inside('a'))).toBeInstanceOf(NestedCommitError)
    const [, failure] = await Promise.all([keep(store, { id: 'b' }), failureOf(inside('c')), keep(store, { id: 'd' })])
    expect(failure).toBeInstanceOf(NestedCommitError)
    expect(await thingIds(store)).toEqual(['b', 'd'])
  })

  test('what is given inside a commit joins no batch that waits for that commit', async () => {
    const store = await tempStore()
    const { keep } = keeping()
    const inside = store.commit(async () => void (await keep(store, { id: 'c' })))
    const waiting = keep(store, { id: 'b' })
    expect(await failureOf(inside)).toBeInstanceOf(NestedCommitError)
    await waiting
    expect(await thingIds(store)).toEqual(['b'])
  })

  test('what may have been written is not written again: each is told that nobody knows', async () => {
    const store = await tempStore()
    let isLost = true
    const losing: Store = {
      ...store,
      async commit(...given) {
        const made = await store.commit(...given)
        if (!isLost) return made
        isLost = false
        throw new UnknownOutcomeError('The connection was lost')
      },
    }
    const { keep, runs } = keeping()
    const outcomes = await Promise.all(['a', 'b'].map((id) => failureOf(keep(losing, { id }))))
    expect(outcomes).toEqual([expect.any(UnknownOutcomeError), expect.any(UnknownOutcomeError)])
    expect(runs).toEqual([['a', 'b']])
    expect(await keep(losing, { id: 'c' })).toBe('new c')
    expect(await thingIds(store)).toEqual(['a', 'b', 'c'])
  })

  test('a store that is closed rejects each; a body that gives too few results commits nothing', async () => {
    const store = await tempStore()
    const { keep } = keeping()
    const short = batched(String, async (tx, items: readonly string[]) => {
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
  const aboutOf = ({ data }: Envelope) => (data as { thingId: string }).thingId

  test('those that arrive together are acted on together; a repeat is not, nor one that was acted on before', async () => {
    const store = await tempStore()
    const runs: string[][] = []
    const hear = receiveAll(store, aboutOf, async (tx, envelopes) => {
      runs.push(envelopes.map(eventNameOf))
      await insertThings(
        tx,
        envelopes.map((each) => newThing(eventNameOf(each))),
      )
      return envelopes.map((each) => eventNameOf(each).length)
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
      acted.push(envelopes.map(eventNameOf).join(' '))
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
        envelopes.map((each) => newThing(eventNameOf(each))),
      )
      if (isBroken && envelopes.some((each) => eventNameOf(each) === '0007')) throw new Error('not now')
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
