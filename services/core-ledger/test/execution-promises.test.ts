import { expect, test } from 'bun:test'
import { fixedClock, until } from '@bursar/testing'
import { workOf } from '../src/movements/read-work'
import { phase, runLedger } from './execution-harness'
import { changed } from './execution-wallet'
import { newAccount } from './owners'

test('while the books are closed nothing is executed; afterwards it is', async () => {
  const running = await runLedger()
  const account = await running.funded('100')
  const [from, to] = [await running.funded('10'), await running.ledger.account()]
  const ids = [
    await running.withdraw(account, '40'),
    await running.transfer(from, to, '4'),
    await running.deposit(account, '7'),
  ]
  const { books } = running.ledger.deps
  const { areClosed } = books
  let looks = 0
  Object.assign(books, {
    areClosed: () => {
      looks += 1
      return true
    },
  })
  for (const id of ids) await running.screen(id, true)
  const before = looks
  running.execution.wake()
  await until(() => looks >= before + 4)
  for (const id of ids) {
    expect((await running.transaction(id)).status).toBe('APPROVED')
    expect(await workOf(running.ledger.store.read, id)).toMatchObject({ attempts: 0, orderedAt: null, lastError: null })
  }
  expect(running.wallet.started.filter(({ id }) => ids.includes(id))).toEqual([])
  Object.assign(books, { areClosed })
  running.execution.wake()
  for (const id of ids) await running.reached(id, 'COMPLETED')
  await running.close()
})

test('an approved deposit to a deleted account waits in suspense; a withdrawal of such an account fails', async () => {
  const running = await runLedger()
  const account = await running.ledger.account({ status: 'deleted' })
  const id = await running.deposit(account, '5')
  await running.screen(id, true)
  const waiting = await until(async () => {
    const found = await running.transaction(id)
    return phase(found, 'execution')?.detail && found
  })
  expect(waiting.status).toBe('APPROVED')
  expect(phase(waiting, 'execution')?.detail).toMatch(/Account .* is deleted; only active accounts can be used/)
  expect(waiting.transactionData.failureReason).toBeNull()
  expect(await running.balance(account)).toBeNull()

  const payer = await running.funded('100')
  const out = await running.withdraw(payer, '40')
  const { id: owned } = payer
  running.owners.putAccount({ ...newAccount({ id: owned, customerId: payer.customerId }), status: 'deleted' })
  await running.screen(out, true)
  expect((await running.reached(out, 'FAILED')).transactionData.failureReason).toMatch(/is deleted/)
  expect(await running.balance(payer)).toEqual({ available: '100', frozen: '0' })
  await running.close()
})

test('the time of the wallet service’s acceptance is not changed by repeats', async () => {
  const clock = fixedClock('2100-01-01T00:00:00.000Z')
  const running = await runLedger({ tuning: { now: clock, retry: { firstMs: 1000, longestMs: 5000 } } })
  const account = await running.funded('100')
  const id = await running.withdraw(account, '40')
  running.wallet.script(id, 'accepted', 'accepted', 'accepted', 'confirmed')
  await running.screen(id, true)
  const work = (attempts: number) =>
    until(async () => {
      const job = await workOf(running.ledger.store.read, id)
      return job?.acceptedAt && job.attempts === attempts && job
    })
  const first = await work(0)
  for (const attempts of [1, 2]) {
    clock.advance(60_000)
    running.execution.wake()
    expect((await work(attempts)).acceptedAt).toEqual(first.acceptedAt)
  }
  const execution = await running.ledger.ask<{ acceptedAt: string }>('GET', `/transactions/${id}/execution`)
  expect(execution.body.acceptedAt).toBe('2100-01-01T00:00:00.000Z')
  clock.advance(60_000)
  running.execution.wake()
  await running.reached(id, 'COMPLETED')
  await running.close()
})

test('after an answer has named another hash, an event that was told before it is asked about, and not believed', async () => {
  const clock = fixedClock('2100-01-01T00:00:00.000Z')
  const running = await runLedger({ tuning: { now: clock, retry: { firstMs: 1000, longestMs: 5000 } } })
  const id = await running.withdraw(await running.funded('100'), '40')
  running.wallet.script(id, 'accepted')
  await running.screen(id, true)
  await until(async () => (await workOf(running.ledger.store.read, id))?.acceptedAt)
  const hashIs = async (hash: string) => (await running.transaction(id)).transactionData.txHash === hash
  const told = (txHash: string) => running.ledger.consume(changed({ id, status: 'broadcast', txHash, reason: null }))
  await told('0xa1')
  expect(await hashIs('0xa1')).toBe(true)
  running.wallet.intercept(id, () => Response.json({ id, status: 'broadcast', txHash: '0xa3', reason: null }))
  clock.advance(60_000)
  running.execution.wake()
  await until(() => hashIs('0xa3'))
  running.wallet.intercept(id, () => new Response(null, { status: 503 }))
  await told('0xa2')
  expect(await hashIs('0xa3')).toBe(true)
  await running.close()
})
