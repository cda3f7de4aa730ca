import { describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { createRestarts } from './restarts'

const failure = (code: string) => Object.assign(new Error(code), { code })

/** Lets everything go on that waits for nothing else. */
async function turns() {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

describe('a service with several instances', () => {
  const [a, b, c] = ['http://10.0.0.1:1', 'http://10.0.0.2:1', 'http://10.0.0.3:1'] as const
  const unsafe = { isRepeatable: false, timeoutMs: 5000 }
  const safe = { isRepeatable: true, timeoutMs: 5000 }

  /** Instances, what each does with a request, and the requests that each got. */
  function instances(addresses: readonly string[], { longestMs = 0 } = {}) {
    const clock = { nowMs: 0 }
    const sent: string[] = []
    const live = new Map<string, PromiseWithResolvers<boolean>>()
    const outcomes = new Map<string, () => Promise<Response>>()
    let looks = 0
    const isLive = (address: string) => {
      looks += 1
      const asked = Promise.withResolvers<boolean>()
      live.set(address, asked)
      return asked.promise
    }
    const restarts = createRestarts(longestMs, () => clock.nowMs, isLive)
    const send = (options: Parameters<typeof restarts.send>[2] = unsafe) =>
      restarts.send(
        addresses,
        (address) => {
          sent.push(address)
          return outcomes.get(address)?.() ?? Promise.resolve(new Response())
        },
        options,
      )
    return {
      restarts,
      clock,
      live,
      looks: () => looks,
      /** Whether it is among those that are tried first. */
      isUsed: (address: string) => addresses.some(() => restarts.inOrder(addresses)[0] === address),
      send,
      sent,
      /** From now on the instance does this. */
      does: (address: string, outcome: () => Promise<Response>) => void outcomes.set(address, outcome),
      fails: (address: string, code: string) => void outcomes.set(address, () => Promise.reject(failure(code))),
      works: (address: string) => void outcomes.delete(address),
      /** The answer of an instance that is looked at. */
      async isBack(address: string, isBack: boolean) {
        live.get(address)?.resolve(isBack)
        live.delete(address)
        await turns()
      },
      /** How many of the next requests each gets. */
      async share(requests: number) {
        sent.length = 0
        for (let n = 0; n < requests; n++) await send()
        return addresses.map((address) => sent.filter((to) => to === address).length)
      },
    }
  }

  test('each gets its share, and the one with fewer requests under way the next', async () => {
    const { send, sent, share, does, works } = instances([a, b, c])
    expect(await share(9)).toEqual([3, 3, 3])
    const held = Promise.withResolvers<Response>()
    for (const each of [a, b]) does(each, () => held.promise)
    const waiting = Array.from({ length: 12 }, () => send())
    expect(sent.slice(9).filter((to) => to !== c)).toHaveLength(8)
    for (const each of [a, b]) works(each)
    await turns()
    expect(await share(4)).toEqual([0, 0, 4])
    held.resolve(new Response())
    await Promise.all(waiting)
    expect(await share(9)).toEqual([3, 3, 3])
  })

  test('a request that was never sent goes to another one, whatever it is, without a pause', async () => {
    for (const code of ['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND']) {
      const { send, sent, fails } = instances([a, b])
      fails(a, code)
      await send()
      await send()
      expect([code, sent.filter((to) => to === b).length]).toEqual([code, 2])
    }
  })

  test('one whose connection broke does so only where it may be repeated', async () => {
    const { send, sent, fails } = instances([a, b])
    for (const each of [a, b]) fails(each, 'ECONNRESET')
    await expect(send()).rejects.toThrow('ECONNRESET')
    expect(sent).toHaveLength(1)
    await expect(send(safe)).rejects.toThrow('ECONNRESET')
    expect(sent).toHaveLength(3)
    expect(new Set(sent.slice(1))).toEqual(new Set([a, b]))
  })

  test('a body that can be sent once goes nowhere else, nor does a request of a caller who has gone', async () => {
    const { send, sent, fails } = instances([a, b])
    for (const each of [a, b]) fails(each, 'ECONNREFUSED')
    await expect(send({ ...safe, isOnce: true })).rejects.toThrow('ECONNREFUSED')
    await expect(send({ ...safe, signal: AbortSignal.abort() })).rejects.toThrow('ECONNREFUSED')
    expect(sent).toHaveLength(2)
  })

  test('one that cannot be reached is left out until it is seen to be back, longer each time', async () => {
    const { clock, live, share, fails, works, isBack, isUsed } = instances([a, b])
    fails(a, 'ECONNREFUSED')
    expect((await share(10))[0]).toBe(1)
    expect([isUsed(a), isUsed(b)]).toEqual([false, true])
    works(a)
    // Its rest has not ended: nobody looks.
    expect([await share(10), live.size]).toEqual([[0, 10], 0])
    clock.nowMs += 200
    // It is looked at beside the requests, once.
    expect([await share(10), [...live.keys()]]).toEqual([[0, 10], [a]])
    await isBack(a, false)
    clock.nowMs += 399
    expect([await share(10), live.size]).toEqual([[0, 10], 0])
    clock.nowMs += 1
    await share(1)
    await isBack(a, true)
    expect(isUsed(a)).toBe(true)
    expect(await share(10)).toEqual([5, 5])
  })

  test('is looked at once at a time, and many failures at once count as one', async () => {
    const { clock, live, looks, send, fails, isBack, does } = instances([a, b])
    const gate = Promise.withResolvers<Response>()
    does(a, () => gate.promise)
    const waiting = Array.from({ length: 20 }, () => send())
    gate.reject(failure('ECONNREFUSED'))
    await Promise.all(waiting)
    fails(a, 'ECONNREFUSED')
    clock.nowMs += 200
    for (let n = 0; n < 5; n++) await send()
    expect([[...live.keys()], looks()]).toEqual([[a], 1])
    await isBack(a, false)
    clock.nowMs += 400
    await send()
    expect(looks()).toBe(2)
  })

  test('the pause before it is looked at again grows to ten seconds, and begins anew after a good answer', async () => {
    const { clock, live, send, share, fails, works, isBack } = instances([a, b])
    fails(a, 'ECONNREFUSED')
    await share(2)
    const pauses: number[] = []
    for (let round = 0; round < 8; round++) {
      const from = clock.nowMs
      while (live.size === 0) {
        clock.nowMs += 100
        await send()
      }
      pauses.push(clock.nowMs - from)
      await isBack(a, round === 7)
    }
    expect(pauses).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
    works(a)
    await share(2)
    fails(a, 'ECONNREFUSED')
    await share(2)
    clock.nowMs += 200
    await send()
    expect([...live.keys()]).toEqual([a])
  })

  test.each([
    ['breaks connections', () => Promise.reject(failure('ECONNRESET'))],
    ['is late', () => Promise.reject(new DOMException('late', 'TimeoutError'))],
    ['answers that it cannot work', () => Promise.resolve(new Response('', { status: 503 }))],
  ])('one that %s is left out after five in a row', async (_, outcome) => {
    const { send, sent, isUsed, does } = instances([a, b])
    does(a, outcome)
    const toA = () => sent.filter((to) => to === a).length
    for (let n = 0; n < 100; n++) await send().catch(() => {})
    expect([toA(), isUsed(a)]).toEqual([5, false])
  })

  test('failures with good answers between them, and those of a caller who has gone, count for nothing', async () => {
    const { send, isUsed, does } = instances([a, b])
    let n = 0
    does(a, () => (n++ % 5 < 4 ? Promise.reject(failure('ECONNRESET')) : Promise.resolve(new Response())))
    for (let n = 0; n < 100; n++) await send().catch(() => {})
    does(b, () => Promise.reject(new DOMException('gone', 'AbortError')))
    for (let n = 0; n < 100; n++) await send().catch(() => {})
    expect([isUsed(a), isUsed(b)]).toEqual([true, true])
  })

  test('while all are left out each is tried, and the first that answers ends the wait', async () => {
    const { send, sent, fails, works, isUsed } = instances([a, b], { longestMs: 10_000 })
    for (const each of [a, b]) fails(each, 'ECONNREFUSED')
    const waiting = send()
    await until(() => sent.length >= 4)
    works(b)
    expect((await waiting).status).toBe(200)
    expect([isUsed(a), isUsed(b)]).toEqual([false, true])
  })

  test('a service is away only since its last instance is: its restart is waited for', async () => {
    const { clock, send, share, fails, works, sent } = instances([a, b], { longestMs: 1000 })
    fails(a, 'ECONNREFUSED')
    await share(2)
    clock.nowMs += 5000
    fails(b, 'ECONNREFUSED')
    sent.length = 0
    const waiting = send()
    await until(() => sent.length >= 2)
    works(b)
    expect((await waiting).status).toBe(200)
  })

  test('one that has said that it ends gets nothing while another is there, and requests wait when it is alone', async () => {
    const { share, send, does, works, fails, clock, sent } = instances([a, b])
    does(a, () => Promise.resolve(new Response('', { headers: { connection: 'close' } })))
    await share(2)
    works(a)
    expect(await share(4)).toEqual([0, 4])
    fails(b, 'ECONNREFUSED')
    await send()
    expect(sent.slice(-2)).toEqual([b, a])
    clock.nowMs += 1000
    expect(await share(4)).toEqual([4, 0])
  })

  test('a connection that lasts tries the best one first', async () => {
    const { restarts, share, fails } = instances([a, b])
    const first = () => restarts.inOrder([a, b])[0]
    expect(new Set([first(), first()])).toEqual(new Set([a, b]))
    fails(b, 'ECONNREFUSED')
    await share(2)
    expect([restarts.inOrder([a, b]), restarts.inOrder([a, b])]).toEqual([
      [a, b],
      [a, b],
    ])
  })
})
