import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { WithdrawalState } from '@bursar/contracts/wallet'
import { plainHealth } from '@bursar/http'
import { fixedClock, until } from '@bursar/testing'
import { retryTuning } from '../src/movements/execution-queue'
import { createRecheck } from '../src/withdrawals/recheck'
import { type RunningLedger, runLedger } from './execution-harness'
import { changed, hashOf } from './execution-wallet'

let running: RunningLedger
beforeAll(async () => {
  running = await runLedger()
})
afterAll(() => running.close())

describe('a withdrawal fails when the wallet service has recorded it', () => {
  test('a first order that is delayed while repeats are refused stays APPROVED, and is paid once', async () => {
    const slow = await runLedger()
    const account = await slow.funded('100')
    const id = await slow.withdraw(account, '40')
    const { promise: mayPay, resolve: pay } = Promise.withResolvers<void>()
    let orders = 0
    let paid = false
    slow.wallet.server.answer(async (request) => {
      if (request.method === 'GET') return Response.json({ message: 'not found' }, { status: 404 })
      orders += 1
      if (orders > 1) return Response.json({ message: 'No such asset' }, { status: 422 })
      await mayPay
      paid = true
      return Response.json({ id, status: 'confirmed', txHash: hashOf(id), reason: null })
    })
    await slow.ledger.impatiently(async () => {
      await slow.screen(id, true)
      await until(() => orders > 6)
    })
    expect((await slow.transaction(id)).status).toBe('APPROVED')
    expect(await slow.balance(account)).toEqual({ available: '60', frozen: '40' })
    pay()
    await until(() => paid)
    slow.wallet.server.answer(() => Response.json({ id, status: 'confirmed', txHash: hashOf(id), reason: null }))
    await slow.reached(id, 'COMPLETED')
    expect(await slow.balance(account)).toEqual({ available: '60', frozen: '0' })
    await slow.close()
  })

  test('an answer for another withdrawal, and a confirmation without its hash, complete nothing', async () => {
    for (const wrong of [{ id: Bun.randomUUIDv7() }, { txHash: null }]) {
      const account = await running.funded('100')
      const id = await running.withdraw(account, '40')
      const right: WithdrawalState = { id, status: 'confirmed', txHash: hashOf(id), reason: null }
      let answers = 0
      running.wallet.intercept(id, () => {
        answers += 1
        return Response.json({ ...right, ...wrong })
      })
      await running.screen(id, true)
      await until(() => answers > 2)
      expect((await running.transaction(id)).status).toBe('APPROVED')
      running.wallet.intercept(id, () => Response.json(right))
      await running.reached(id, 'COMPLETED')
    }
  })

  test('down, down, refused is not definite; the record of the failure is', async () => {
    const account = await running.funded('100')
    const id = await running.withdraw(account, '40')
    running.wallet.script(id, 'down', 'down', 'refused')
    await running.screen(id, true)
    await until(() => running.wallet.requestsFor(id) > 8)
    expect((await running.transaction(id)).status).toBe('APPROVED')
    running.wallet.script(id, 'failed')
    await running.reached(id, 'FAILED')
    expect(await running.balance(account)).toEqual({ available: '100', frozen: '0' })
  })
})

describe('a withdrawal that failed', () => {
  /** One that failed, and a recheck; the ledger's clock is in hand. */
  async function failed() {
    const clock = fixedClock(new Date().toISOString())
    const own = await runLedger({ tuning: { now: clock } })
    const account = await own.funded('100')
    const id = await own.withdraw(account, '40')
    own.wallet.script(id, 'failed')
    await own.screen(id, true)
    await own.reached(id, 'FAILED')
    const recheck = createRecheck()
    const asked = () => own.wallet.server.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(id))
    return { own, id, clock, recheck, run: () => recheck.run(own.ledger.deps), asked }
  }

  test('is checked once more, after the longest wait', async () => {
    const { own, clock, recheck, run, asked } = await failed()
    clock.advance(retryTuning.longestMs - 60_000)
    await run()
    expect(asked()).toHaveLength(0)
    clock.advance(120_000)
    await run()
    await run()
    expect(asked()).toHaveLength(1)
    expect(await recheck.waits()).toBeNull()
    await own.close()
  })

  test('and was paid after all is an alarm: health, metric, log line; also after a restart', async () => {
    const { own, id, clock, recheck, run } = await failed()
    own.wallet.records.set(id, { id, status: 'confirmed', txHash: hashOf(id), reason: null })
    own.wallet.script(id, 'confirmed')
    clock.advance(retryTuning.longestMs + 60_000)
    await run()
    expect(await recheck.waits()).toBe('A withdrawal that failed was paid: see GET /transactions/stuck')
    const health = plainHealth('core-ledger', '1', {}, { withdrawals: recheck.waits })
    expect(await health.read()).toMatchObject({ healthy: true, waiting: [expect.stringContaining('stuck')] })
    const lines = (await own.ledger.events()).map(({ data }) => data as { event_type?: string; metadata?: object })
    expect(lines.filter(({ event_type }) => event_type === 'ERROR_OCCURRED')).toMatchObject([
      { status: 'FAILURE', metadata: { transaction_id: id, wallet_status: 'confirmed', tx_hash: hashOf(id) } },
    ])
    const again = createRecheck()
    const worker = again.start(own.ledger.deps)
    await until(async () => (await again.waits()) !== null)
    const { body } = await own.ledger.ask('GET', '/metrics')
    expect(body).toMatch(/bursar_failed_but_paid\{service="core-ledger"\} 1/)
    await worker.stop()
    await own.close()
  })

  test('is checked again when the wallet service reports that it has paid it', async () => {
    const { own, id, clock, recheck, run, asked } = await failed()
    clock.advance(retryTuning.longestMs + 60_000)
    await run()
    const record = { id, status: 'confirmed', txHash: hashOf(id), reason: null } as const
    await own.ledger.consume(changed({ ...record, status: 'failed', txHash: null }))
    await run()
    expect(asked()).toHaveLength(1)
    own.wallet.records.set(id, record)
    own.wallet.script(id, 'confirmed')
    await own.ledger.consume(changed(record))
    await run()
    expect(asked()).toHaveLength(2)
    expect(await recheck.waits()).toContain('that failed was paid')
    await own.close()
  })

  test('is checked again when that is reported while an earlier answer of it is on the way', async () => {
    const { own, id, clock, recheck, asked } = await failed()
    const record = { id, status: 'confirmed', txHash: hashOf(id), reason: null } as const
    const { client } = own.ledger.deps
    const find: typeof client.find = async (call, input) => {
      const answer = await client.find(call, input)
      if (asked().length > 1) return answer
      own.wallet.records.set(id, record)
      own.wallet.script(id, 'confirmed')
      await own.ledger.consume(changed(record))
      return answer
    }
    clock.advance(retryTuning.longestMs + 60_000)
    await recheck.run({ ...own.ledger.deps, client: { ...client, find } })
    expect(asked()).toHaveLength(2)
    expect(await recheck.waits()).toContain('that failed was paid')
    await own.close()
  })

  test('is checked again also when the wallet service reports that it has sent it', async () => {
    const { own, id, clock, recheck, run, asked } = await failed()
    const record = { id, status: 'broadcast', txHash: hashOf(id), reason: null } as const
    own.wallet.records.set(id, record)
    own.wallet.script(id, 'broadcast')
    await own.ledger.consume(changed(record))
    clock.advance(60_000)
    await run()
    expect(asked()).toHaveLength(1)
    expect(await recheck.waits()).toContain('that failed was paid')
    await own.close()
  })

  test('and was sent is checked until that has ended: the alarm is over when it was not paid after all', async () => {
    const { own, id, clock, recheck, run } = await failed()
    const alarms = async () =>
      (await own.ledger.events()).filter(
        ({ data }) => (data as { event_type?: string }).event_type === 'ERROR_OCCURRED',
      ).length
    const becomes = async (status: 'broadcast' | 'failed' | 'confirmed') => {
      own.wallet.records.set(id, { id, status, txHash: status === 'failed' ? null : hashOf(id), reason: null })
      own.wallet.script(id, status)
      clock.advance(retryTuning.longestMs + 60_000)
      await run()
    }
    await becomes('broadcast')
    await becomes('broadcast')
    expect([await recheck.waits(), await alarms()]).toEqual([expect.stringContaining('that failed was paid'), 1])
    await becomes('failed')
    expect(await recheck.waits()).toBeNull()
    await own.close()
  })

  test('and was sent is settled by a person once it is paid, and not asked about any more', async () => {
    const { own, id, clock, recheck, run, asked } = await failed()
    for (const status of ['broadcast', 'confirmed', 'failed'] as const) {
      own.wallet.records.set(id, { id, status, txHash: hashOf(id), reason: null })
      own.wallet.script(id, status)
      clock.advance(retryTuning.longestMs + 60_000)
      await run()
    }
    expect(asked()).toHaveLength(2)
    expect(await recheck.waits()).toContain('that failed was paid')
    const { body } = await own.ledger.ask<{ id: string; reason: string }[]>('GET', '/transactions/stuck')
    expect(body.find((one) => one.id === id)?.reason).toEndWith(`has it as confirmed ${hashOf(id)}`)
    await own.close()
  })

  test('and was sent stays an alarm also when the wallet service has forgotten it', async () => {
    const { own, id, clock, recheck, run, asked } = await failed()
    own.wallet.records.set(id, { id, status: 'broadcast', txHash: hashOf(id), reason: null })
    own.wallet.script(id, 'broadcast')
    clock.advance(retryTuning.longestMs + 60_000)
    await run()
    own.wallet.intercept(id, () => Response.json({ error: { code: 'NOT_FOUND', message: '' } }, { status: 404 }))
    clock.advance(retryTuning.longestMs + 60_000)
    await run()
    expect(asked()).toHaveLength(2)
    expect(await recheck.waits()).toContain('that failed was paid')
    await own.close()
  })

  test('stays to be checked while the wallet service is unavailable', async () => {
    const { own, id, clock, recheck, run, asked } = await failed()
    clock.advance(retryTuning.longestMs + 60_000)
    own.wallet.script(id, 'down')
    await run()
    clock.advance(60_000)
    await run()
    expect(asked()).toHaveLength(2)
    own.wallet.script(id, 'failed')
    clock.advance(60_000)
    await run()
    await run()
    expect(asked()).toHaveLength(3)
    expect(await recheck.waits()).toBeNull()
    await own.close()
  })
})
