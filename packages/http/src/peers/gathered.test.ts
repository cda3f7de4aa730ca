import { describe, expect, test } from 'bun:test'
import { mostInBatch } from '@bursar/contracts/batch'
import { asRequest, currentRequestId } from '../request/context'
import { CallError } from './call-error'
import { gathered } from './gathered'

const refused = (status: number) => new CallError('refused', 'wallet', `refused with ${status}`, status)

/** Doubles numbers, and notes the calls: a number for one alone, a list for several. */
function doubling({
  calls = 2,
  one = async (n) => n * 2,
  many = async (all) => all.map((n) => n * 2),
}: {
  calls?: number
  one?: (n: number) => Promise<number>
  many?: (all: number[]) => Promise<(number | null)[]>
} = {}) {
  const made: (number | number[])[] = []
  const ask = gathered<number, number>({
    one: (n) => {
      made.push(n)
      return one(n)
    },
    many: (all) => {
      made.push(all)
      return many(all)
    },
    calls,
  })
  return { ask, made }
}
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i)

describe('gathered', () => {
  test('what is asked in one turn shares a call, and each gets its own answer', async () => {
    const { ask, made } = doubling()
    expect(await Promise.all(upTo(5).map(ask))).toEqual([0, 2, 4, 6, 8])
    expect(made).toEqual([[0, 1, 2, 3, 4]])
  })

  test('what is asked alone is a call of its own, as the request of its caller', async () => {
    const ids: (string | null)[] = []
    const { ask, made } = doubling({
      one: async (n) => {
        ids.push(currentRequestId())
        return n
      },
    })
    await asRequest('a', () => ask(1))
    expect([made, ids]).toEqual([[1], ['a']])
  })

  test('more than a call may carry go in several, side by side', async () => {
    const { ask, made } = doubling({ calls: 9 })
    expect(await Promise.all(upTo(2 * mostInBatch + 1).map(ask))).toEqual(upTo(2 * mostInBatch + 1).map((n) => n * 2))
    expect(made.map((call) => (Array.isArray(call) ? call.length : call))).toEqual([
      mostInBatch,
      mostInBatch,
      2 * mostInBatch,
    ])
  })

  test('what comes while all calls are under way shares the next one', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { ask, made } = doubling({ calls: 1, one: (n) => (gates[n]?.promise ?? Promise.resolve()).then(() => n) })
    const first = ask(0)
    await new Promise((resolve) => setImmediate(resolve))
    const others = []
    for (const n of [1, 2, 3]) {
      others.push(ask(n))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(made).toEqual([0])
    gates[0]?.resolve()
    expect([await first, ...(await Promise.all(others))]).toEqual([0, 2, 4, 6])
    expect(made).toEqual([0, [1, 2, 3]])
  })

  test('one that the answer says nothing of is asked alone, and its refusal is its own', async () => {
    const { ask, made } = doubling({
      many: async (all) => all.map((n) => (n === 1 ? null : n * 2)),
      one: async () => {
        throw refused(422)
      },
    })
    const answers = await Promise.allSettled(upTo(3).map(ask))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(made).toEqual([[0, 1, 2], 1])
  })

  test.each([
    ['refused', refused(400)],
    ['too large', refused(413)],
    ['unknown to an older service', refused(404)],
    ['failing', refused(500)],
    ['broken', new CallError('broken', 'wallet', 'breaks its contract', 200)],
  ])('a batch that is %s is asked one by one, no more calls at a time than allowed', async (_what, error) => {
    let underWay = 0
    let most = 0
    const { ask, made } = doubling({
      calls: 3,
      many: async () => {
        throw error
      },
      one: async (n) => {
        most = Math.max(most, ++underWay)
        await new Promise((resolve) => setImmediate(resolve))
        underWay -= 1
        if (n === 4) throw refused(422)
        return n * 2
      },
    })
    const answers = await Promise.allSettled(upTo(10).map(ask))
    expect(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))).toEqual(
      upTo(10).flatMap((n) => (n === 4 ? [] : [n * 2])),
    )
    expect([most, made.length]).toEqual([3, 11])
  })

  test.each([
    ['late', new CallError('timeout', 'wallet', 'late')],
    ['away', new CallError('unreachable', 'wallet', 'away')],
    ['unavailable', refused(503)],
    ['mistaken', new TypeError('a mistake of ours')],
  ])('a service that is %s is so for all, and the next call is made all the same', async (_what, error) => {
    let isAway = true
    const { ask, made } = doubling({
      calls: 1,
      many: async (all) => {
        if (isAway) throw error
        return all.map((n) => n * 2)
      },
    })
    for (const answer of await Promise.allSettled(upTo(3).map(ask))) expect(answer).toMatchObject({ reason: error })
    isAway = false
    expect(await Promise.all(upTo(2).map(ask))).toEqual([0, 2])
    expect(made).toEqual([
      [0, 1, 2],
      [0, 1],
    ])
  })

  test('an answer with too few items leaves nobody without one', async () => {
    const { ask } = doubling({ many: async (all) => all.slice(0, 1).map((n) => n * 2) })
    expect(await Promise.all(upTo(3).map(ask))).toEqual([0, 2, 4])
  })
})
