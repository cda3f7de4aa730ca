import { expect, test } from 'bun:test'
import { fixedClock, until } from '@bursar/testing'
import { workOf } from '../src/movements/read-work'
import { failedWithdrawals } from '../src/movements/work.table'
import { createRecheck } from '../src/withdrawals/recheck'
import { restart, runLedger } from './execution-harness'

const yearMs = 365 * 24 * 60 * 60 * 1000
const start = '2026-06-01T00:00:00.000Z'
const retry = { firstMs: 1000, longestMs: 5000 }

test.each([
  ['forward', yearMs],
  ['back', -yearMs],
])('a clock that was a year %s for a while strands no work', async (_, jumpMs) => {
  const clock = fixedClock(start)
  const running = await runLedger({ tuning: { now: clock, retry } })
  const account = await running.funded('100')
  const suspended = await running.ledger.account({ status: 'suspended' })
  running.wallet.otherwise('down')
  const before = await running.withdraw(account, '10')
  await running.screen(before, true)
  const attempted = (id: string, attempts: number) =>
    until(async () => ((await workOf(running.ledger.store.read, id))?.attempts ?? 0) >= attempts)
  await attempted(before, 1)
  clock.advance(jumpMs)
  running.execution.wake()
  // Approved, and tried, while the clock is wrong.
  const within = await running.withdraw(account, '20')
  const deposit = await running.deposit(suspended, '5')
  for (const id of [within, deposit]) {
    await running.screen(id, true)
    await attempted(id, 1)
  }
  clock.set(start)
  clock.advance(60_000)
  running.wallet.otherwise('confirmed')
  running.execution.wake()
  await running.reached(before, 'COMPLETED')
  await running.reached(within, 'COMPLETED')
  await attempted(deposit, 2)
  const job = await workOf(running.ledger.store.read, deposit)
  expect(job?.dueAt?.getTime()).toBeLessThanOrEqual(clock().getTime() + retry.longestMs)
  await running.close()
})

test('a lease that was set by a wrong clock is not waited for', async () => {
  const clock = fixedClock(start)
  const running = await runLedger({ timeoutMs: 60_000, tuning: { now: clock, retry, stoppingMs: 1 } })
  const account = await running.funded('100')
  const id = await running.withdraw(account, '10')
  running.wallet.otherwise('silent')
  clock.advance(yearMs)
  await running.screen(id, true)
  await until(async () => (await workOf(running.ledger.store.read, id))?.leasedUntil)
  // The process dies in the middle of the call; the clock is right when the next one starts.
  await running.worker.stop()
  clock.set(start)
  running.wallet.otherwise('confirmed')
  const again = restart(running, { now: clock, retry })
  await running.reached(id, 'COMPLETED')
  await again.stop()
  await running.close()
})

test('the recheck of a failed withdrawal is not stranded', async () => {
  const clock = fixedClock(start)
  const running = await runLedger({ tuning: { now: clock } })
  const account = await running.funded('100')
  const id = await running.withdraw(account, '10')
  running.wallet.otherwise('failed')
  clock.advance(yearMs)
  await running.screen(id, true)
  await running.reached(id, 'FAILED')
  clock.set(start)
  const recheck = createRecheck()
  await recheck.run({ ...running.ledger.deps, now: clock })
  expect(await running.ledger.store.read.select().from(failedWithdrawals)).toEqual([])
  await running.close()
})
