import { describe, expect, test } from 'bun:test'
import { eq } from '@bursar/store'
import { fixedClock, until } from '@bursar/testing'
import { askWallet, type Finding } from '../src/execution/ask-wallet'
import { beginAttempt } from '../src/execution/begin-attempt'
import { dueWork, leaseMs, type Work, workOf } from '../src/execution/read-work'
import { settleWithdrawal } from '../src/execution/settle'
import { createWallet } from '../src/execution/wallet-calls'
import { hastenWork } from '../src/execution/work'
import { work } from '../src/execution/work.table'
import { phase, restart, runLedger } from './execution-harness'
import { hashOf } from './execution-wallet'

const yearMs = 365 * 24 * 60 * 60 * 1000

describe('a wallet service that is slow or away', () => {
  test('slow: no answer in time leaves it APPROVED; it was broadcast once and is confirmed later', async () => {
    const slow = await runLedger({ timeoutMs: 50 })
    const account = await slow.funded('100')
    const id = await slow.withdraw(account, '40')
    slow.wallet.script(id, 'silent', 'silent', 'confirmed')
    await slow.screen(id, true)
    const waiting = await until(async () => {
      const found = await slow.transaction(id)
      return phase(found, 'execution')?.detail && found
    })
    expect(waiting.status).toBe('APPROVED')
    expect(phase(waiting, 'execution')?.detail).toMatch(/^Attempt 1: The wallet service did not answer in time; next /)
    expect(await slow.balance(account)).toEqual({ available: '60', frozen: '40' })
    await slow.reached(id, 'COMPLETED')
    expect(slow.wallet.broadcasts).toEqual([id])
    await slow.close()
  })

  test('away, then back: it is tried again, later each time, and carried out', async () => {
    const clock = fixedClock('2100-01-01T00:00:00.000Z')
    const away = await runLedger({ tuning: { now: clock, retry: { firstMs: 1000, longestMs: 5000 } } })
    const account = await away.funded('100')
    const id = await away.withdraw(account, '40')
    const { port } = new URL(away.wallet.server.url)
    await away.wallet.server.stop()
    await away.screen(id, true)
    const attempt = (count: number) =>
      until(async () => {
        const job = await workOf(away.ledger.store.read, id)
        return job?.attempts === count && job
      })
    for (const [count, longestMs] of [
      [1, 1000],
      [2, 2000],
      [3, 4000],
      [4, 5000],
    ] as const) {
      const job = await attempt(count)
      expect(job.lastError).toBe('The wallet service cannot be reached')
      const waitMs = job.dueAt.getTime() - clock().getTime()
      expect(waitMs).toBeLessThanOrEqual(longestMs)
      expect(waitMs).toBeGreaterThanOrEqual(longestMs * 0.75)
      clock.advance(waitMs)
      if (count < 4) away.execution.wake()
    }
    expect((await away.transaction(id)).status).toBe('APPROVED')
    const back = Bun.serve({
      hostname: '127.0.0.1',
      port: Number(port),
      fetch: () => Response.json({ id, status: 'confirmed', txHash: '0xback', reason: null }),
    })
    away.execution.wake()
    expect((await away.reached(id, 'COMPLETED')).transactionData.txHash).toBe('0xback')
    await back.stop(true)
    await away.close()
  })

  test('deposits do not wait behind withdrawals that hang', async () => {
    const busy = await runLedger({ timeoutMs: 60_000, tuning: { calls: 2, stoppingMs: 1 } })
    const account = await busy.funded('100')
    busy.wallet.otherwise('silent')
    for (let i = 0; i < 5; i++) await busy.screen(await busy.withdraw(account, '1'), true)
    await until(() => busy.wallet.broadcasts.length === 2)
    await busy.funded('1')
    expect(busy.wallet.broadcasts).toHaveLength(2)
    await busy.close()
  })
})

describe('the same work run twice', () => {
  /** A withdrawal that no worker takes, and what it takes to carry it out by hand. */
  async function byHand() {
    const hand = await runLedger()
    const account = await hand.funded('100')
    await hand.worker.stop()
    const id = await hand.withdraw(account, '40')
    await hand.screen(id, true)
    const { store } = hand.ledger
    const settling = { store, now: () => new Date(), retry: { firstMs: 1, longestMs: 1 } }
    const settle = (seen: Work, finding: Finding) => store.commit((tx) => settleWithdrawal(tx, settling, seen, finding))
    const begin = async () => {
      const attempt = await store.commit((tx) => beginAttempt(tx, settling, id, null))
      if (!attempt) throw new Error('There is no work')
      return attempt
    }
    return { hand, account, id, store, settle, begin }
  }

  test('a crash between the broadcast and its storing: the next run finds it confirmed, and nothing is sent twice', async () => {
    const { hand, account, id, store, begin } = await byHand()
    // The first run died here: it was broadcast, and nothing was written down.
    expect(await askWallet(createWallet(hand.ledger.deps.client, 1), await begin())).toEqual({
      is: 'confirmed',
      txHash: hashOf(id),
    })
    expect((await hand.transaction(id)).status).toBe('APPROVED')
    // Its lease ends.
    await store.commit((tx) => hastenWork(tx, id, new Date()))
    const again = restart(hand)
    await hand.reached(id, 'COMPLETED')
    await again.stop()
    expect(hand.wallet.broadcasts).toEqual([id])
    expect(await hand.balance(account)).toEqual({ available: '60', frozen: '0' })
    expect(await workOf(store.read, id)).toBeUndefined()
    await hand.close()
  })

  test('while one attempt has the work to itself another gets nothing, until its lease ends', async () => {
    const { hand, id, store } = await byHand()
    const clock = fixedClock(new Date().toISOString())
    const settling = { store, now: clock, retry: { firstMs: 1, longestMs: 1 } }
    const begin = () => store.commit((tx) => beginAttempt(tx, settling, id, null))
    const due = () => dueWork(store.read, 'chain', { now: clock(), limit: 9, longestMs: yearMs })
    clock.advance(1000)
    expect(await due()).toEqual([id])
    expect(await begin()).toMatchObject({ ask: 'order' })
    expect(await begin()).toBeNull()
    expect(await due()).toEqual([])
    clock.advance(leaseMs - 1)
    expect(await begin()).toBeNull()
    clock.advance(1)
    expect(await due()).toEqual([id])
    expect(await begin()).toMatchObject({ ask: 'order' })
    await hand.close()
  })

  test('at the same time: completed once', async () => {
    const { hand, account, id, settle, begin } = await byHand()
    const attempt = await begin()
    const wallet = createWallet(hand.ledger.deps.client, 2)
    const findings = await Promise.all([askWallet(wallet, attempt), askWallet(wallet, attempt)])
    await Promise.all(findings.map((finding) => settle(attempt.order.work, finding)))
    expect((await hand.transaction(id)).status).toBe('COMPLETED')
    expect(hand.wallet.broadcasts).toEqual([id])
    expect(await hand.balance(account)).toEqual({ available: '60', frozen: '0' })
    await hand.close()
  })

  test('at the same time: of several findings of one attempt one counts', async () => {
    const { hand, id, store, settle, begin } = await byHand()
    const { work: seen } = (await begin()).order
    const unclear = { is: 'unknown', reason: 'no' } as const
    await Promise.all([1, 2, 3].map(() => settle(seen, unclear)))
    expect(await workOf(store.read, id)).toMatchObject({ attempts: 1, lastError: 'no' })
    await hand.close()
  })

  test('confirmed by the wallet service after it was failed here: nothing is moved, and it is logged', async () => {
    const { hand, account, id, settle, begin } = await byHand()
    const { work: seen } = (await begin()).order
    await settle(seen, { is: 'failed', reason: 'no' })
    const late = settle(seen, { is: 'confirmed', txHash: '0x1' })
    await expect(late).rejects.toThrow(`The wallet service confirmed withdrawal ${id}, which is FAILED here`)
    expect((await hand.transaction(id)).status).toBe('FAILED')
    expect(await hand.balance(account)).toEqual({ available: '100', frozen: '0' })
    await hand.close()
  })

  test('confirmed wins over a failure that was seen earlier and comes later', async () => {
    const { hand, id, settle, begin } = await byHand()
    const { work: seen } = (await begin()).order
    await settle(seen, { is: 'confirmed', txHash: '0x1' })
    await settle(seen, { is: 'failed', reason: 'no' })
    expect((await hand.transaction(id)).status).toBe('COMPLETED')
    await hand.close()
  })
})

describe('the worker', () => {
  test('at its start it takes what is due, and of a full queue so many at a time', async () => {
    const many = await runLedger()
    const account = await many.funded('1000')
    await many.worker.stop()
    const ids = await Promise.all(Array.from({ length: 1000 }, () => many.withdraw(account, '1')))
    await Promise.all(ids.map((id) => many.screen(id, true)))
    // One call for each: it knows no batches, as an older wallet service does.
    const { handle, server } = many.wallet
    server.answer((request) => (request.url.endsWith('/batch') ? new Response('', { status: 404 }) : handle(request)))
    let most = 0
    let open = 0
    const inner = many.ledger.deps.client
    const client: typeof inner = {
      ...inner,
      call: async (call, input) => {
        most = Math.max(most, ++open)
        return await inner.call(call, input).finally(() => open--)
      },
    }
    const worker = restart(many, {}, client)
    await until(async () => (await many.ledger.store.read.$count(work)) === 0, { timeoutMs: 20_000 })
    await worker.stop()
    expect(most).toBe(16)
    expect(many.wallet.broadcasts.toSorted()).toEqual(ids.toSorted())
    expect(await many.balance(account)).toEqual({ available: '0', frozen: '0' })
    await many.close()
  }, 30_000)

  test('says how much waits and for how long', async () => {
    const measured = await runLedger()
    const account = await measured.funded('10')
    const figures = () => measured.ledger.deps.metrics.text()
    expect(await figures()).toMatch(/bursar_work_depth\{service="core-ledger"\} 0/)
    measured.wallet.otherwise('down')
    const id = await measured.withdraw(account, '1')
    await measured.screen(id, true)
    await until(async () => (await workOf(measured.ledger.store.read, id))?.lastError)
    expect(await figures()).toMatch(/bursar_work_depth\{service="core-ledger"\} 1/)
    expect(await figures()).toMatch(/bursar_work_oldest_seconds\{service="core-ledger"\} 0\.\d+/)
    await measured.close()
  })

  test('a stop waits for what is under way, and takes nothing more', async () => {
    const stopped = await runLedger()
    const account = await stopped.funded('10')
    const [one, two] = [await stopped.withdraw(account, '1'), await stopped.withdraw(account, '1')]
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const { promise: mayAnswer, resolve: allow } = Promise.withResolvers<void>()
    stopped.wallet.server.answer(async () => {
      ask()
      await mayAnswer
      return Response.json({ id: one, status: 'confirmed', txHash: '0x1', reason: null })
    })
    await stopped.screen(one, true)
    await asked
    const ending = stopped.worker.stop()
    allow()
    await ending
    await stopped.screen(two, true)
    expect((await stopped.transaction(one)).status).toBe('COMPLETED')
    expect((await stopped.transaction(two)).status).toBe('APPROVED')
    expect(await stopped.ledger.store.read.select().from(work).where(eq(work.transactionId, two))).toHaveLength(1)
    await stopped.close()
  })
})
