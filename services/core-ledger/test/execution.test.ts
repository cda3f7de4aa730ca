import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { upsertAccount } from '../src/accounts/accounts'
import { workOf } from '../src/movements/read-work'
import { type Account, phase, type RunningLedger, runLedger } from './execution-harness'
import { failedOnChain, hashOf, type Step } from './execution-wallet'
import { newAccount } from './owners'

let running: RunningLedger
beforeAll(async () => {
  running = await runLedger()
})
afterAll(() => running.close())

/** An approved withdrawal of 40 out of 100. */
async function approved(...steps: Step[]) {
  const account = await running.funded('100')
  const id = await running.withdraw(account, '40')
  running.wallet.script(id, ...steps)
  await running.screen(id, true)
  return { account, id }
}

/** As the account service's event does. */
const activate = (of: Account) =>
  running.ledger.store.commit((tx) => upsertAccount(tx, running.owners.putAccount(newAccount(of))))

const workOfTransaction = (id: string) => workOf(running.ledger.store.read, id)

describe('deposits and transfers', () => {
  test('a deposit that passed its screening is credited', async () => {
    const account = await running.ledger.account()
    const id = await running.deposit(account, '12.34')
    expect(await running.balance(account)).toBeNull()
    await running.screen(id, true)
    const completed = await running.reached(id, 'COMPLETED')
    expect(completed.executedAt).toMatch(/Z$/)
    expect(await running.balance(account)).toEqual({ available: '12.34', frozen: '0' })
    expect(await workOfTransaction(id)).toBeUndefined()
  })

  test('a transfer that passed its screening arrives', async () => {
    const [from, to] = [await running.funded('10'), await running.ledger.account()]
    const id = await running.transfer(from, to, '4')
    await running.screen(id, true)
    await running.reached(id, 'COMPLETED')
    expect(await running.balance(from)).toEqual({ available: '6', frozen: '0' })
    expect(await running.balance(to)).toEqual({ available: '4', frozen: '0' })
  })

  test('a deposit to an account that is not active waits until it is', async () => {
    const account = await running.ledger.account({ status: 'suspended' })
    const id = await running.deposit(account, '5')
    await running.screen(id, true)
    const waiting = await until(async () => {
      const found = await running.transaction(id)
      return phase(found, 'execution')?.detail && found
    })
    expect(waiting.status).toBe('APPROVED')
    expect(phase(waiting, 'execution')).toMatchObject({
      status: 'IN_PROGRESS',
      detail: expect.stringMatching(
        /^Attempt \d+: Account .* is suspended; only active accounts can be used; next attempt at /,
      ),
    })
    expect(await running.balance(account)).toBeNull()
    await activate(account)
    await running.reached(id, 'COMPLETED')
    expect(await running.balance(account)).toEqual({ available: '5', frozen: '0' })
  })
})

describe('withdrawals', () => {
  test('the order to the wallet service', async () => {
    const account = await running.funded('100')
    const id = await running.withdraw(account, '40.50')
    await running.screen(id, true)
    await running.reached(id, 'COMPLETED')
    expect(running.wallet.started.filter((one) => one.id === id)).toEqual([
      {
        id,
        accountId: account.id,
        network: 'testnet',
        assetCode: running.asset.code,
        contractAddress: null,
        amount: '40.5',
        decimals: 2,
        destinationAddress: 'destination-1',
      },
    ])
    const { headers } = running.wallet.server.requests.findLast(({ body }) => body.includes(id)) ?? {}
    expect(headers?.get('x-request-id')).toBe(id)
    expect(headers?.get('idempotency-key')).toBe(id)
  })

  test('confirmed: COMPLETED with its hash, and the hold is gone', async () => {
    const { account, id } = await approved('confirmed')
    const completed = await running.reached(id, 'COMPLETED')
    expect(completed.transactionData.txHash).toBe(hashOf(id))
    expect(completed.phases.map(({ name, status }) => [name, status])).toEqual([
      ['created', 'COMPLETED'],
      ['screening', 'COMPLETED'],
      ['review', 'SKIPPED'],
      ['execution', 'COMPLETED'],
      ['confirmation', 'COMPLETED'],
    ])
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '0' })
    expect(running.wallet.broadcasts.filter((one) => one === id)).toHaveLength(1)
  })

  test('accepted, then broadcast, then confirmed: the hash is stored as soon as it is known', async () => {
    const { account, id } = await approved('accepted', 'broadcast', 'broadcast', 'broadcast', 'broadcast', 'confirmed')
    const broadcast = await until(async () => {
      const found = await running.transaction(id)
      return found.transactionData.txHash !== null && found
    })
    expect(broadcast.transactionData.txHash).toBe(hashOf(id))
    expect(phase(broadcast, 'execution')?.status).toBe('COMPLETED')
    const completed = await running.reached(id, 'COMPLETED')
    expect(phase(completed, 'confirmation')?.startedAt).toBe(phase(broadcast, 'confirmation')?.startedAt ?? '')
    expect(running.wallet.started.filter((one) => one.id === id)).toHaveLength(1)
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '0' })
  })

  test('recorded as failed by the wallet service: FAILED, and the hold is released', async () => {
    const { account, id } = await approved('failed')
    const failed = await running.reached(id, 'FAILED')
    expect(running.wallet.requestsFor(id)).toBe(1)
    expect(failed.transactionData.failureReason).toBe(failedOnChain)
    expect(failed.executedAt).toBeNull()
    expect(phase(failed, 'execution')).toMatchObject({ status: 'FAILED', detail: failedOnChain })
    expect(phase(failed, 'confirmation')?.status).toBe('SKIPPED')
    expect(await running.balance(account)).toEqual({ available: '100', frozen: '0' })
    expect(running.wallet.broadcasts).not.toContain(id)
  })

  test('accepted, then failed on its chain: FAILED, and the hold is released', async () => {
    const { account, id } = await approved('accepted', 'broadcast', 'failed')
    expect((await running.reached(id, 'FAILED')).transactionData.failureReason).toBe(failedOnChain)
    expect(await running.balance(account)).toEqual({ available: '100', frozen: '0' })
  })

  test.each(['refused', 'down', 'lost', 'garbage'] as const)('%s is not definite: it is asked again', async (step) => {
    const { account, id } = await approved(step, step, step, step, step, 'confirmed')
    await running.reached(id, 'COMPLETED')
    expect(running.wallet.requestsFor(id)).toBe(6)
    expect(running.wallet.broadcasts.filter((one) => one === id)).toHaveLength(1)
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '0' })
  })

  test('a refusal after an attempt whose answer was lost is not definite', async () => {
    const { account, id } = await approved('lost', 'refused', 'accepted', 'refused', 'down', 'refused', 'confirmed')
    await running.reached(id, 'COMPLETED')
    expect(running.wallet.broadcasts.filter((one) => one === id)).toHaveLength(1)
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '0' })
  })

  test('one that the wallet service accepted and lost is ordered again, marked as such', async () => {
    const { account, id } = await approved('accepted', 'down')
    await until(() => running.wallet.requestsFor(id) > 2)
    running.wallet.records.delete(id)
    const waitsFor = 'It may have been paid, and waits for an operator'
    running.wallet.script(id, 'accepted')
    await until(() => running.wallet.started.filter((one) => one.id === id).length > 1)
    running.wallet.records.set(id, { id, status: 'accepted', txHash: null, reason: null, waitsFor })
    running.wallet.intercept(id, () => Response.json(running.wallet.records.get(id)))
    const orders = running.wallet.started.filter((one) => one.id === id)
    expect(orders.map(({ wasAccepted }) => wasAccepted)).toEqual([undefined, true])
    const reasonOf = async () => {
      const { body } = await running.ledger.ask<{ id: string; reason: string | null }[]>('GET', '/transactions/stuck')
      return body.find((one) => one.id === id)?.reason
    }
    await until(async () => (await reasonOf()) === waitsFor)
    expect((await running.transaction(id)).status).toBe('APPROVED')
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '40' })
    running.wallet.intercept(id, () => Response.json({ id, status: 'confirmed', txHash: hashOf(id), reason: null }))
    await running.reached(id, 'COMPLETED')
  })
})
