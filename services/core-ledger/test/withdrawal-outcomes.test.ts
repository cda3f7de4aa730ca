import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Mark, ToldState } from '@bursar/contracts/order-states'
import { WithdrawalChanged, type WithdrawalState } from '@bursar/contracts/wallet'
import { plainHealth } from '@bursar/http'
import { fixedClock, until } from '@bursar/testing'
import { retryTuning } from '../src/movements/queue'
import { workOf } from '../src/movements/read-work'
import { failedWithdrawals } from '../src/movements/work.table'
import { createRecheck } from '../src/withdrawals/recheck'
import { phase, type RunningLedger, runLedger } from './execution-harness'
import { hashOf, type Step } from './execution-wallet'
import { newAccount } from './owners'

let running: RunningLedger
beforeAll(async () => {
  running = await runLedger()
})
afterAll(() => running.close())

describe('a withdrawal fails when the wallet service has recorded it', () => {
  test('a first order that is held up while repeats are refused stays APPROVED, and is paid once', async () => {
    const slow = await runLedger({ timeoutMs: 100 })
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
    await slow.screen(id, true)
    await until(() => orders > 6)
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

  test('down, down, refused is nothing definite; the record of the failure is', async () => {
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

let versions = 0
/** The wallet service's event; of a newer state than those before, unless it says which. */
const changed = ({ epoch = 1, version = ++versions, ...data }: WithdrawalState & Partial<Mark>) => ({
  id: Bun.randomUUIDv7(),
  name: WithdrawalChanged.name,
  type: WithdrawalChanged.type,
  timestamp: new Date().toISOString(),
  requestId: null,
  service: 'wallet',
  data: { ...data, epoch, version },
})

describe('the wallet service’s event', () => {
  test('about a withdrawal that is completed has nothing rechecked', async () => {
    const id = await running.withdraw(await running.funded('100'), '40')
    await running.screen(id, true)
    await running.reached(id, 'COMPLETED')
    await running.ledger.consume(changed({ id, status: 'confirmed', txHash: hashOf(id), reason: null }))
    const watched = await running.ledger.store.read.select().from(failedWithdrawals)
    expect(watched.filter(({ transactionId }) => transactionId === id)).toEqual([])
  })

  /** One that the wallet service has accepted, and that is asked about a minute later. */
  async function accepted(...then: Step[]) {
    const patient = await runLedger({ tuning: { retry: { firstMs: 60_000, longestMs: 60_000 } } })
    const account = await patient.funded('100')
    const id = await patient.withdraw(account, '40')
    patient.wallet.script(id, 'accepted', ...then)
    await patient.screen(id, true)
    await until(async () => (await workOf(patient.ledger.store.read, id))?.acceptedAt)
    const asked = () => patient.wallet.requestsFor(id)
    const say = (status: ToldState['status'], txHash: string | null, mark: Partial<Mark> = {}) =>
      patient.ledger.consume(changed({ id, status, txHash, reason: null, ...mark }))
    const hash = async () => (await patient.transaction(id)).transactionData.txHash
    return { patient, account, id, asked, say, hash }
  }

  test('that it is final completes it, and nothing is asked', async () => {
    const { patient, account, id, asked, say } = await accepted()
    await say('confirmed', hashOf(id))
    expect((await patient.transaction(id)).status).toBe('COMPLETED')
    expect((await patient.transaction(id)).transactionData.txHash).toBe(hashOf(id))
    expect(await patient.balance(account)).toEqual({ available: '60', frozen: '0' })
    await say('confirmed', hashOf(id))
    expect(asked()).toBe(1)
    await patient.close()
  })

  test('that it is on its way stores its hash, and nothing is asked', async () => {
    const { patient, id, asked, say, hash } = await accepted()
    await say('broadcast', hashOf(id))
    expect(await hash()).toBe(hashOf(id))
    expect(phase(await patient.transaction(id), 'confirmation')?.status).toBe('IN_PROGRESS')
    await say('broadcast', hashOf(id))
    await say('broadcast', '0xdearer')
    expect(await hash()).toBe('0xdearer')
    expect(asked()).toBe(1)
    await patient.close()
  })

  test('of an older state, twice, late, or of a database that was set back changes nothing, and nothing is asked', async () => {
    const { patient, account, id, asked, say, hash } = await accepted()
    await say('broadcast', '0xnewest', { epoch: 2, version: 4 })
    await say('broadcast', '0xolder', { epoch: 2, version: 3 })
    await say('broadcast', '0xbefore', { epoch: 1, version: 9 })
    await say('broadcast', '0xnewest', { epoch: 2, version: 4 })
    await say('failed', null, { epoch: 1, version: 10 })
    expect(await hash()).toBe('0xnewest')
    expect((await workOf(patient.ledger.store.read, id))?.dueAt?.getTime()).toBeGreaterThan(Date.now())
    expect(asked()).toBe(1)
    await say('confirmed', '0xnewest', { epoch: 1, version: 2 })
    expect((await patient.transaction(id)).status).toBe('COMPLETED')
    expect(await patient.balance(account)).toEqual({ available: '60', frozen: '0' })
    await patient.close()
  })

  test('of another hash than the answer has named has it asked about', async () => {
    const { patient, id, asked, say, hash } = await accepted('broadcast', 'broadcast', 'confirmed')
    patient.execution.wake()
    await say('broadcast', '0xfirst')
    await say('failed', null)
    await until(async () => (await hash()) === hashOf(id))
    expect(asked()).toBe(2)
    await say('broadcast', '0xother')
    await until(() => asked() === 3)
    expect(await hash()).toBe(hashOf(id))
    await say('broadcast', hashOf(id))
    expect(asked()).toBe(3)
    await patient.close()
  })

  test.each([
    ['that it failed', 'failed', null],
    ['that it is final, without its hash', 'confirmed', null],
  ] as const)('%s has it asked about at once, and decides nothing by itself', async (_, status, txHash) => {
    const { patient, id, asked, say } = await accepted('accepted', 'confirmed')
    await say(status, txHash)
    await until(() => asked() === 2)
    expect((await patient.transaction(id)).status).toBe('APPROVED')
    await say(status, txHash)
    await patient.reached(id, 'COMPLETED')
    await patient.close()
  })

  test('of a withdrawal that this ledger has not ordered has it asked about', async () => {
    const patient = await runLedger({ tuning: { retry: { firstMs: 60_000, longestMs: 60_000 } } })
    const account = await patient.funded('100')
    const id = await patient.withdraw(account, '40')
    const { id: owned, customerId } = account
    patient.owners.putAccount({ ...newAccount({ id: owned, customerId }), status: 'suspended' })
    await patient.screen(id, true)
    await until(async () => (await workOf(patient.ledger.store.read, id))?.lastError)
    await patient.ledger.consume(changed({ id, status: 'broadcast', txHash: hashOf(id), reason: null }))
    expect((await patient.transaction(id)).transactionData.txHash).toBeNull()
    expect(patient.wallet.started).toEqual([])
    patient.owners.putAccount(newAccount({ id: owned, customerId }))
    await patient.ledger.consume(changed({ id, status: 'confirmed', txHash: hashOf(id), reason: null }))
    await patient.reached(id, 'COMPLETED')
    expect(patient.wallet.started.map((order) => order.id)).toEqual([id])
    await patient.close()
  })

  test('completes nothing while the books are closed', async () => {
    const { patient, id, asked, say } = await accepted()
    const { areClosed } = patient.ledger.deps.books
    Object.assign(patient.ledger.deps.books, { areClosed: () => true })
    await say('confirmed', hashOf(id))
    expect((await patient.transaction(id)).status).toBe('APPROVED')
    expect(asked()).toBe(1)
    patient.wallet.script(id, 'confirmed')
    Object.assign(patient.ledger.deps.books, { areClosed })
    patient.execution.wake()
    await patient.reached(id, 'COMPLETED')
    await patient.close()
  })
})

describe('a withdrawal that failed', () => {
  /** One that failed, and a recheck with a clock in hand. */
  async function failed() {
    const clock = fixedClock(new Date().toISOString())
    const own = await runLedger()
    const account = await own.funded('100')
    const id = await own.withdraw(account, '40')
    own.wallet.script(id, 'failed')
    await own.screen(id, true)
    await own.reached(id, 'FAILED')
    const recheck = createRecheck()
    const deps = { ...own.ledger.deps, now: clock }
    const asked = () => own.wallet.server.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(id))
    return { own, id, clock, recheck, run: () => recheck.run(deps), asked }
  }

  test('is asked about once more, after the longest wait', async () => {
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
    const worker = again.start({ ...own.ledger.deps, now: clock })
    await until(async () => (await again.waits()) !== null)
    const { body } = await own.ledger.ask('GET', '/metrics')
    expect(body).toMatch(/bursar_failed_but_paid\{service="core-ledger"\} 1/)
    await worker.stop()
    await own.close()
  })

  test('is asked about again when the wallet service says that it has paid it', async () => {
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

  test('is asked about again also when the wallet service says that it has sent it', async () => {
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

  test('stays to be asked about while the wallet service is away', async () => {
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
