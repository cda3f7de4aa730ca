import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ToldState } from '@bursar/contracts/order-states'
import type { ChangeMark } from '@bursar/contracts/replica'
import { until } from '@bursar/testing'
import { workOf } from '../src/movements/read-work'
import { failedWithdrawals } from '../src/movements/work.table'
import { phase, type RunningLedger, runLedger } from './execution-harness'
import { changed, hashOf, type Step } from './execution-wallet'
import { newAccount } from './owners'

/** None is asked about before an hour, unless an event says so. */
const rare = { firstMs: 3_600_000, longestMs: 3_600_000 }

let running: RunningLedger
beforeAll(async () => {
  running = await runLedger()
})
afterAll(() => running.close())

describe('the wallet service’s event', () => {
  test('about a withdrawal that is completed has nothing rechecked', async () => {
    const id = await running.withdraw(await running.funded('100'), '40')
    await running.screen(id, true)
    await running.reached(id, 'COMPLETED')
    await running.ledger.consume(changed({ id, status: 'confirmed', txHash: hashOf(id), reason: null }))
    const watched = await running.ledger.store.read.select().from(failedWithdrawals)
    expect(watched.filter(({ transactionId }) => transactionId === id)).toEqual([])
  })

  /** One that the wallet service has accepted, and that is asked about an hour later. */
  async function accepted(...then: Step[]) {
    const patient = await runLedger({ tuning: { retry: rare } })
    const account = await patient.funded('100')
    const id = await patient.withdraw(account, '40')
    patient.wallet.script(id, 'accepted', ...then)
    await patient.screen(id, true)
    await until(async () => (await workOf(patient.ledger.store.read, id))?.acceptedAt)
    const asked = () => patient.wallet.requestsFor(id)
    const say = (status: ToldState['status'], txHash: string | null, mark: Partial<ChangeMark> = {}) =>
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

  test('that comes while an older answer is on its way stands', async () => {
    const { patient, id, say, hash } = await accepted()
    await say('broadcast', '0xfirst')
    let isAsked = false
    patient.wallet.intercept(id, async () => {
      isAsked = true
      await say('broadcast', '0xdearer')
      return Response.json({ id, status: 'broadcast', txHash: '0xfirst', reason: null })
    })
    await say('failed', null)
    await until(async () => isAsked && (await workOf(patient.ledger.store.read, id))?.leasedUntil === null)
    expect(await hash()).toBe('0xdearer')
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
    const patient = await runLedger({ tuning: { retry: rare } })
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
