// Returns of deposits that have ended here otherwise, and that their chain has paid after all: the money has left
// suspense, and no account.
import { describe, expect, test } from 'bun:test'
import type { ConfirmedMovement } from '@bursar/contracts/blockchain'
import { returnDeposit } from '../src/approvals/return-deposit'
import { obstacleOf } from '../src/movements/obstacle'
import { transactionById } from '../src/movements/read-transactions'
import { wakeRecheck } from '../src/movements/work'
import { failedWithdrawals } from '../src/movements/work.table'
import { retryWaiting } from '../src/portfolios/movements.consumer'
import { owedOnChains } from '../src/reconciliation/owed'
import { reconcileOrders } from '../src/reconciliation/reconcile-orders'
import { createRecheck } from '../src/withdrawals/recheck'
import { balance, customer, eachWithCustomer, hash, it, look, paid } from './forgotten-bench'
import {
  complete,
  decisionsOf,
  depositOf,
  failIt,
  getTransaction,
  make,
  rejectedDeposit,
  screen,
  type Tx,
} from './steps'

eachWithCustomer()

const suspense = async () => [...(await owedOnChains(it.ledger.store.read)).values()].map((owed) => owed.suspense)
const release = (id: string) => it.ledger.ask<Tx>('POST', `/transactions/${id}/release`, { reason: 'so' })
const differences = async () =>
  (await reconcileOrders({ ledger: it.ledger.store, client: it.ledger.deps.client })).differences
const stuck = async () =>
  (await it.ledger.ask<{ id: string; reason: string }[]>('GET', '/transactions/stuck')).body.map(({ id }) => id)

const cover = (id: string) =>
  it.ledger.ask<Tx>('POST', `/transactions/${id}/cover`, { reason: 'The platform has paid it in' })
const unbooked = async (id: string) =>
  (await it.ledger.ask<{ unbookedPayment?: true }>('GET', `/transactions/${id}`)).body.unbookedPayment
const year = 365 * 24 * 60 * 60 * 1000

/** That a covered payment is no alarm and no difference any more, whatever tells of it again: the chain, or the wallet service. */
async function isSettled(id: string): Promise<void> {
  expect([await unbooked(id), await stuck(), await differences()]).toEqual([undefined, [], []])
  await retryWaiting(it.ledger.deps)
  it.chain.epoch += 1
  await look()
  await it.ledger.store.commit((tx) => wakeRecheck(tx, [id], new Date()))
  await createRecheck().run({ ...it.ledger.deps, now: () => new Date(Date.now() + 60_000) })
  expect([await it.waiting(), await stuck(), await differences()]).toEqual([[], [], []])
  expect((await cover(id)).status).toBe(400)
}

/** A return of a deposit, which is APPROVED once it has passed its screening. */
async function returned(deposit: string, isPassed = true): Promise<string> {
  const approval = { persons: 'one', actor: null, note: 'so' } as const
  const { transaction } = await it.ledger.store.commit((tx) => returnDeposit(tx, deposit, approval, new Date()))
  await screen(it.ledger, transaction.id, isPassed)
  return transaction.id
}

/** A deposit, and its return, which has failed. */
async function failedReturn(): Promise<{ deposit: string; failed: string }> {
  const deposit = await rejectedDeposit(it.ledger, customer, '7')
  const failed = await returned(deposit)
  await failIt(it.ledger, failed, 'The wallet service has refused it')
  return { deposit, failed }
}

const isDelivered = (payment: ConfirmedMovement) => it.deliver({ ...payment, id: Bun.randomUUIDv7() })
const obstacle = async (id: string) => {
  const { read } = it.ledger.store
  return (await obstacleOf(read, await transactionById(read, id)))?.reason ?? null
}

describe('a return that has failed here and was paid', () => {
  test('is recorded once more from suspense, and once: the deposit goes nowhere else, and the account pays nothing', async () => {
    const { deposit, failed } = await failedReturn()
    const payment = paid({ id: failed, amount: '7000000' })
    for (const _ of ['first', 'again']) {
      await look()
      it.chain.epoch += 1
      await isDelivered(payment)
    }
    expect([await balance(), await suspense()]).toEqual([['100', '0', '100'], [0n]])
    const { returnedBy } = await getTransaction(it.ledger, deposit)
    expect(await getTransaction(it.ledger, `${returnedBy}`)).toMatchObject({
      type: 'WITHDRAWAL',
      status: 'COMPLETED',
      txHash: payment.txHash,
    })
    expect((await getTransaction(it.ledger, failed)).status).toBe('FAILED')
    expect((await release(deposit)).status).toBe(400)
    expect((await decisionsOf(it.ledger, deposit)).at(-1)).toEqual([
      'RETURNED',
      null,
      `Its return ${failed} is FAILED here, and its chain has paid it`,
    ])
    expect([await differences(), await it.waiting(), await stuck()]).toEqual([[], [], []])
  })

  test.each(['before', 'after'])(
    'is no alarm any longer once it is recorded, %s the wallet service is asked',
    async (order) => {
      const { failed } = await failedReturn()
      const ask = () => createRecheck().run({ ...it.ledger.deps, now: () => new Date(Date.now() + year) })
      const none = async () =>
        expect([await stuck(), await it.ledger.store.read.select().from(failedWithdrawals)]).toEqual([[], []])
      paid({ id: failed, amount: '7000000' })
      if (order === 'after') {
        await ask()
        expect(await stuck()).toEqual([failed])
      }
      await look()
      await ask()
      await none()
      // An event of the wallet service that comes late.
      await it.ledger.store.commit((tx) => wakeRecheck(tx, [failed], new Date()))
      await ask()
      await none()
    },
  )

  test('is the account’s where its deposit was released meanwhile', async () => {
    const { deposit, failed } = await failedReturn()
    expect((await release(deposit)).status).toBe(200)
    paid({ id: failed, amount: '7000000' })
    await look()
    expect([await balance(), await suspense(), await differences()]).toEqual([['100', '0', '100'], [0n], []])
  })

  test('keeps another return of the deposit from being paid, which is to be failed; then it is recorded', async () => {
    const { deposit, failed } = await failedReturn()
    const second = await returned(deposit)
    expect(await obstacle(second)).toBeNull()
    const { txHash } = paid({ id: failed, amount: '7000000' })
    await look()
    expect(await it.waiting()).toEqual([
      `It has paid return ${failed}, which is FAILED here; transaction ${second} returns the same deposit, and is APPROVED`,
    ])
    expect([await balance(), await suspense(), await stuck()]).toEqual([['100', '0', '100'], [7_000_000n], [failed]])
    expect(await obstacle(second)).toBe(
      `Transaction ${failed}, which returned the same deposit, is FAILED here and was paid (confirmed ${txHash}): fail this one`,
    )
    // The wallet service has it as failed: its chain knows better.
    it.wallet.records.push({ id: failed, status: 'failed', txHash: null, reason: 'It was refused' })
    await createRecheck().run({ ...it.ledger.deps, now: () => new Date(Date.now() + year) })
    expect(await obstacle(second)).toContain(': fail this one')
    it.wallet.records.pop()
    await failIt(it.ledger, second, 'An operator has failed it')
    expect((await release(deposit)).status).toBe(409)
    await retryWaiting(it.ledger.deps)
    expect([await balance(), await suspense(), await it.waiting()]).toEqual([['100', '0', '100'], [0n], []])
    expect([await stuck(), await differences()]).toEqual([[], []])
  })

  test('does so also where the wallet service, which was asked just before, answers that it has failed', async () => {
    const deposit = await rejectedDeposit(it.ledger, customer, '7')
    const failed = await returned(deposit)
    await failIt(it.ledger, failed, 'The wallet service has refused it')
    const second = await returned(deposit)
    it.wallet.records.push({ id: failed, status: 'failed', txHash: null, reason: 'It was refused' })
    const { client } = it.ledger.deps
    let asked = 0
    const find: typeof client.find = async (call, input) => {
      const answer = await client.find(call, input)
      asked += 1
      // The answer is on the way, and its chain tells of the payment.
      paid({ id: failed, amount: '7000000' })
      await look()
      return answer
    }
    const later = () => new Date(Date.now() + year)
    await createRecheck().run({ ...it.ledger.deps, client: { ...client, find }, now: later })
    expect([asked, await stuck()]).toEqual([1, [failed]])
    expect(await obstacle(second)).toContain(': fail this one')
  })

  test('and was rejected instead, is shown as what it is while another return of the deposit waits for it', async () => {
    const deposit = await rejectedDeposit(it.ledger, customer, '7')
    const id = await returned(deposit, false)
    await it.ledger.ask('POST', `/transactions/${id}/reject-frozen-withdrawal`)
    const second = await returned(deposit)
    const { txHash } = paid({ id, amount: '7000000' })
    await look()
    const { body } = await it.ledger.ask<{ reason: string }[]>('GET', '/transactions/stuck')
    expect(body.map(({ reason }) => reason)).toEqual([
      `It was rejected here, and the wallet service has it as confirmed ${txHash}`,
    ])
    expect(await obstacle(second)).toContain('is REJECTED here and was paid')
  })

  test.each(['another return of it', 'the same'])(
    'and so was %s: both are seen, and the account pays neither',
    async (which) => {
      const { deposit, failed } = await failedReturn()
      const second = await returned(deposit)
      await complete(it.ledger, second, hash())
      const id = which === 'the same' ? second : failed
      paid({ id, amount: '7000000' })
      await look()
      expect(await it.waiting()).toEqual([
        `It has paid return ${id}, which is ${id === failed ? 'FAILED' : 'COMPLETED'} here; transaction ${second} returns the same deposit, and is COMPLETED`,
      ])
      expect([await balance(), await suspense()]).toEqual([['100', '0', '100'], [0n]])
      expect((await differences()).map((one) => one.id)).toEqual([id])
      expect(await stuck()).toEqual([id])
    },
  )

  test('and so was another return of it: a person covers it, once, and it is no difference any more', async () => {
    const { deposit, failed } = await failedReturn()
    const second = await returned(deposit)
    paid({ id: failed, amount: '7000000' })
    await look()
    // Another one is not paid yet: its deposit may still leave by this one.
    expect([(await cover(failed)).status, await unbooked(failed)]).toEqual([400, undefined])
    await complete(it.ledger, second, hash())
    expect([await unbooked(failed), await unbooked(second), await stuck()]).toEqual([true, undefined, [failed]])
    expect((await cover(second)).status).toBe(400)
    expect(await cover(failed)).toMatchObject({ status: 200, body: { id: failed, status: 'FAILED' } })
    expect((await decisionsOf(it.ledger, failed)).at(-1)).toEqual(['COVERED', null, 'The platform has paid it in'])
    await isSettled(failed)
    expect([await balance(), await suspense()]).toEqual([['100', '0', '100'], [0n]])
  })

  test('with another amount waits for a person, who covers it: its deposit is in suspense as before', async () => {
    const { deposit, failed } = await failedReturn()
    paid({ id: failed, amount: '7000001' })
    await look()
    expect(await it.waiting()).toEqual([
      `It has paid return ${failed}, which is FAILED here, with another amount or asset`,
    ])
    expect([await balance(), await suspense()]).toEqual([['100', '0', '100'], [7_000_000n]])
    expect([await unbooked(failed), await stuck(), (await release(deposit)).status]).toEqual([true, [failed], 409])
    expect(await cover(failed)).toMatchObject({ status: 200, body: { id: failed, status: 'FAILED' } })
    await isSettled(failed)
    expect([await balance(), await suspense()]).toEqual([['100', '0', '100'], [7_000_000n]])
    expect((await release(deposit)).status).toBe(200)
  })

  test('with another amount may be covered also where the wallet service was being asked about it meanwhile', async () => {
    const { deps } = it.ledger
    const { failed } = await failedReturn()
    paid({ id: failed, amount: '7000001' })
    const find: typeof deps.client.find = (...asked) => deps.client.find(...asked).finally(look)
    const client = { ...deps.client, find }
    await createRecheck().run({ ...deps, client, now: () => new Date(Date.now() + year) })
    expect([await unbooked(failed), (await cover(failed)).status]).toEqual([true, 200])
    await isSettled(failed)
  })

  test('with the same amount is not to be covered before its chain has told of it: it will be recorded', async () => {
    const { failed } = await failedReturn()
    it.wallet.records.push({ id: failed, status: 'confirmed', txHash: hash(), reason: null })
    await createRecheck().run({ ...it.ledger.deps, now: () => new Date(Date.now() + year) })
    expect([await stuck(), await unbooked(failed), (await cover(failed)).status]).toEqual([[failed], undefined, 400])
  })

  test('with another amount is not to be covered while another return of its deposit is under way', async () => {
    const { deposit, failed } = await failedReturn()
    const second = await returned(deposit)
    paid({ id: failed, amount: '7000001' })
    await look()
    expect([await unbooked(failed), (await cover(failed)).status]).toEqual([undefined, 400])
    await failIt(it.ledger, second, 'An operator has failed it')
    await retryWaiting(it.ledger.deps)
    expect([await unbooked(failed), (await cover(failed)).status]).toEqual([true, 200])
  })

  test('and has COMPLETED by another payment is an alarm until a person covers it', async () => {
    const deposit = await rejectedDeposit(it.ledger, customer, '7')
    const id = await returned(deposit)
    await complete(it.ledger, id, hash())
    expect((await cover(id)).status).toBe(400)
    const { txHash } = paid({ id, amount: '7000000' })
    await look()
    const { body } = await it.ledger.ask<{ reason: string }[]>('GET', '/transactions/stuck')
    expect(body.map(({ reason }) => reason)).toEqual([
      `It was completed by another payment here, and the wallet service has it as confirmed ${txHash}`,
    ])
    expect([await unbooked(id), (await differences()).map((one) => one.id)]).toEqual([true, [id]])
    expect(await cover(id)).toMatchObject({ status: 200, body: { id, status: 'COMPLETED' } })
    await isSettled(id)
    expect([await balance(), await suspense()]).toEqual([['100', '0', '100'], [0n]])
  })
})

test('a paid return that was forgotten is recorded again where its deposit has its source in other letters', async () => {
  const sourceAddress = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
  const { id } = await make(it.ledger, 'deposit', depositOf(customer, '7', { sourceAddress }))
  await screen(it.ledger, id, false)
  await it.ledger.ask('POST', `/transactions/${id}/reject-frozen-deposit`)
  paid({ amount: '7000000' })
  // The audit at the end compares what is returned with its deposit.
  await look()
  expect([await balance(), await suspense()]).toEqual([['100', '0', '100'], [0n]])
})
