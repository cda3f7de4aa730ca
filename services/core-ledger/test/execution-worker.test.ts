import { describe, expect, test } from 'bun:test'
import { eq, LeaseLostError } from '@bursar/store'
import { fixedClock, freePort, until } from '@bursar/testing'
import { type ClaimedWork, executionQueue, leaseMs, type Settling } from '../src/movements/execution-queue'
import { ordersOf, workOf } from '../src/movements/read-work'
import { work } from '../src/movements/work.table'
import { askWallet, type Finding } from '../src/withdrawals/ask-wallet'
import { beginAttempts } from '../src/withdrawals/begin-attempt'
import { settleWithdrawals } from '../src/withdrawals/settle'
import { createWallet } from '../src/withdrawals/wallet-calls'
import { phase, restart, runLedger } from './execution-harness'
import { hashOf } from './execution-wallet'

describe('a wallet service that is slow or away', () => {
  test('slow: no answer in time leaves it APPROVED; it was broadcast once and is confirmed later', async () => {
    const slow = await runLedger()
    const account = await slow.funded('100')
    const id = await slow.withdraw(account, '40')
    slow.wallet.script(id, 'silent')
    await slow.ledger.impatiently(async () => {
      await slow.screen(id, true)
      // The account's owner may be late as well, on a busy machine.
      const waiting = await until(async () => {
        const found = await slow.transaction(id)
        return phase(found, 'execution')?.detail?.includes('The wallet service') && found
      })
      expect(waiting.status).toBe('APPROVED')
      expect(phase(waiting, 'execution')?.detail).toMatch(
        /^Attempt \d+: The wallet service did not answer in time; next /,
      )
      expect(await slow.balance(account)).toEqual({ available: '60', frozen: '40' })
      slow.wallet.script(id, 'confirmed')
    })
    await slow.reached(id, 'COMPLETED')
    expect(slow.wallet.broadcasts).toEqual([id])
    await slow.close()
  })

  test('away, then back: it is tried again, later each time, and carried out', async () => {
    const clock = fixedClock('2100-01-01T00:00:00.000Z')
    // A port that stays free, and leads nowhere but to who listens there.
    const port = await freePort()
    const retry = { firstMs: 1000, longestMs: 5000 }
    const away = await runLedger({ walletUrl: `http://127.0.0.1:${port}`, tuning: { now: clock, retry } })
    const lines: string[] = []
    const note = (_: object, message: string) => void lines.push(message)
    Object.assign(away.ledger.deps.log, { warn: note, info: note })
    const account = await away.funded('100')
    const id = await away.withdraw(account, '40')
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
      const waitMs = (job.dueAt?.getTime() ?? 0) - clock().getTime()
      expect(waitMs).toBeLessThanOrEqual(longestMs)
      expect(waitMs).toBeGreaterThanOrEqual(longestMs * 0.75)
      if (count === 4) break
      clock.advance(waitMs)
      away.execution.wake()
    }
    expect((await away.transaction(id)).status).toBe('APPROVED')
    const back = Bun.serve({
      hostname: '127.0.0.1',
      port,
      fetch: () => Response.json({ id, status: 'confirmed', txHash: '0xback', reason: null }),
    })
    // Not before it is back: the worker also looks by itself, and what fails then is due at a time that never comes.
    clock.advance(5000)
    away.execution.wake()
    expect((await away.reached(id, 'COMPLETED')).transactionData.txHash).toBe('0xback')
    // Told once, however often it was tried.
    expect(lines.filter((line) => line !== 'request')).toEqual([
      'A withdrawal got no clear answer; its state is fetched again',
      'The wallet service answers again',
    ])
    await back.stop(true)
    await away.close()
  })

  test('deposits do not wait behind withdrawals that hang', async () => {
    const busy = await runLedger({ timeoutMs: 60_000, tuning: { calls: 2, stoppingMs: 1 } })
    const account = await busy.funded('100')
    busy.wallet.otherwise('silent')
    // Of one withdrawal or of several, as they come together.
    const orders = () =>
      busy.wallet.server.requests.filter(({ path }) => /^\/internal\/withdrawals(\/batch)?$/.test(path)).length
    for (let i = 0; i < 5; i++) await busy.screen(await busy.withdraw(account, '1'), true)
    await until(() => orders() === 2)
    await busy.funded('1')
    expect(orders()).toBe(2)
    await busy.close()
  })
})

/** Begins an attempt at a claimed withdrawal. */
async function beginOne(settling: Settling, row: ClaimedWork) {
  const { store } = settling
  const order = (await ordersOf(store.read, [row.transactionId])).get(row.transactionId)
  if (!order) throw new Error('There is no order')
  const [attempt] = await store.commit((tx) => beginAttempts(tx, settling, [{ row, order, unknown: null }]))
  return attempt
}

describe('the same work run twice', () => {
  /** A withdrawal that no worker takes, and what it takes to carry it out by hand. */
  async function byHand() {
    const hand = await runLedger()
    const account = await hand.funded('100')
    await hand.worker.stop()
    const id = await hand.withdraw(account, '40')
    await hand.screen(id, true)
    const { store } = hand.ledger
    const retry = { firstMs: 1, longestMs: 1 }
    const queue = executionQueue(retry)
    const settling = { store, now: () => new Date(), retry, queue }
    const settle = (row: ClaimedWork, finding: Finding) =>
      store.commit((tx) => settleWithdrawals(tx, settling, [{ row, finding }]))
    const begin = async () => {
      const [row] = await queue.claim(store, { now: new Date(), limit: 1, lane: 'chain' })
      const attempt = row && (await beginOne(settling, row))
      if (!row || !attempt) throw new Error('There is no work')
      return { row, attempt }
    }
    return { hand, account, id, store, settle, begin }
  }

  test('a crash between the broadcast and its storing: the next run finds it confirmed, and nothing is sent twice', async () => {
    const { hand, account, id, store, begin } = await byHand()
    // The first run died here: it was broadcast, and nothing was written down.
    const { attempt } = await begin()
    expect(await askWallet(createWallet(hand.ledger.deps.client, 1), attempt)).toEqual({
      is: 'confirmed',
      txHash: hashOf(id),
    })
    expect((await hand.transaction(id)).status).toBe('APPROVED')
    // Its lease ends.
    await store.commit(async (tx) => {
      await tx.update(work).set({ leasedUntil: new Date(), dueAt: new Date() }).where(eq(work.transactionId, id))
    })
    const again = restart(hand)
    await hand.reached(id, 'COMPLETED')
    await again.stop()
    expect(hand.wallet.broadcasts).toEqual([id])
    expect(await hand.balance(account)).toEqual({ available: '60', frozen: '0' })
    expect(await workOf(store.read, id)).toBeUndefined()
    await hand.close()
  })

  test('while one attempt has leased the work another gets nothing', async () => {
    const { hand, id, store } = await byHand()
    const clock = fixedClock(new Date().toISOString())
    const retry = { firstMs: 1, longestMs: 1 }
    const queue = executionQueue(retry)
    const settling = { store, now: clock, retry, queue }
    const claim = () => queue.claim(store, { now: clock(), limit: 9, lane: 'chain' })
    const begin = async (row?: ClaimedWork) => row && (await beginOne(settling, row))
    clock.advance(1000)
    const [first] = await claim()
    expect(first?.transactionId).toBe(id)
    expect(await begin(first)).toMatchObject({ ask: 'order' })
    expect(await claim()).toEqual([])
    clock.advance(leaseMs - 1)
    expect(await claim()).toEqual([])
    clock.advance(1)
    const [second] = await claim()
    expect(await begin(second)).toMatchObject({ ask: 'order' })
    // The first one orders nothing any more.
    await expect(begin(first)).rejects.toThrow(LeaseLostError)
    await hand.close()
  })

  test('at the same time: completed once', async () => {
    const { hand, account, id, settle, begin } = await byHand()
    const { row, attempt } = await begin()
    const wallet = createWallet(hand.ledger.deps.client, 2)
    const findings = await Promise.all([askWallet(wallet, attempt), askWallet(wallet, attempt)])
    await Promise.all(findings.map((finding) => settle(row, finding)))
    expect((await hand.transaction(id)).status).toBe('COMPLETED')
    expect(hand.wallet.broadcasts).toEqual([id])
    expect(await hand.balance(account)).toEqual({ available: '60', frozen: '0' })
    await hand.close()
  })

  test('at the same time: of several findings of one attempt one counts', async () => {
    const { hand, id, store, settle, begin } = await byHand()
    const { row: seen } = await begin()
    const unclear = { is: 'unknown', reason: 'no' } as const
    const settled = await Promise.allSettled([1, 2, 3].map(() => settle(seen, unclear)))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await workOf(store.read, id)).toMatchObject({ attempts: 1, lastError: 'no' })
    await hand.close()
  })

  test('confirmed by the wallet service after it was failed here: nothing is moved, and it is logged', async () => {
    const { hand, account, id, settle, begin } = await byHand()
    const { row: seen } = await begin()
    await settle(seen, { is: 'failed', reason: 'no' })
    const late = settle(seen, { is: 'confirmed', txHash: '0x1' })
    await expect(late).rejects.toThrow(`The wallet service confirmed withdrawal ${id}, which is FAILED here`)
    expect((await hand.transaction(id)).status).toBe('FAILED')
    expect(await hand.balance(account)).toEqual({ available: '100', frozen: '0' })
    await hand.close()
  })

  test('confirmed wins over a failure that was seen earlier and comes later', async () => {
    const { hand, id, settle, begin } = await byHand()
    const { row: seen } = await begin()
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
    await until(async () => (await many.ledger.store.read.$count(work)) === 0)
    await worker.stop()
    expect(most).toBe(16)
    expect(many.wallet.broadcasts.toSorted()).toEqual(ids.toSorted())
    expect(await many.balance(account)).toEqual({ available: '0', frozen: '0' })
    await many.close()
  })

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
    const ageS = async () => /bursar_work_oldest_seconds\{service="core-ledger"\} (\S+)/.exec(await figures())?.[1]
    expect(await until(async () => Number(await ageS()))).toBeWithin(0, 60)
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
