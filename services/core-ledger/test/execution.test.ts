import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { keepAccount } from '../src/accounts/copies'
import { workOf } from '../src/execution/read-work'
import { type Account, phase, type RunningLedger, runLedger } from './execution-harness'
import { hashOf, type Step } from './execution-wallet'

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

/** As the account service's event would tell it. */
const activate = ({ id, customerId }: Account) =>
  running.ledger.store.commit(async (tx) => {
    const account = { ...bare, id, customerId, type: 'STABLECOINS' as const, status: 'active' as const }
    await keepAccount(tx, { account, participantId: null, version: 2 })
  })
const bare = {
  customerExternalId: null,
  walletAccountId: null,
  accountExternalId: null,
  name: 'An account',
  customerName: null,
  createdAt: '2026-01-01T00:00:00.000Z',
}

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
      detail: expect.stringMatching(/^Attempt \d+: The account or its customer is not active; next attempt at /),
    })
    expect(await running.balance(account)).toBeNull()
    await activate(account)
    await running.reached(id, 'COMPLETED')
    expect(await running.balance(account)).toEqual({ available: '5', frozen: '0' })
  })
})

describe('withdrawals', () => {
  test('what the wallet service is told', async () => {
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
    const { account, id } = await approved('pending', 'hashed', 'hashed', 'hashed', 'hashed', 'confirmed')
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

  test.each([
    ['failed', 'The chain refused it: out of gas'],
    ['refused', 'The address is on no chain of ours'],
  ] as const)('%s is definite: FAILED after its retries, and the hold is released', async (step, reason) => {
    const { account, id } = await approved(step)
    const failed = await running.reached(id, 'FAILED')
    expect(running.wallet.requestsFor(id)).toBe(3)
    expect(failed.transactionData.failureReason).toBe(reason)
    expect(failed.executedAt).toBeNull()
    expect(phase(failed, 'execution')).toMatchObject({ status: 'FAILED', detail: reason })
    expect(phase(failed, 'confirmation')?.status).toBe('SKIPPED')
    expect(await running.balance(account)).toEqual({ available: '100', frozen: '0' })
    expect(running.wallet.broadcasts).not.toContain(id)
  })

  test('definite failures that are taken back do not count', async () => {
    const { id } = await approved('failed', 'failed', 'pending', 'confirmed')
    await running.reached(id, 'COMPLETED')
  })

  test.each(['down', 'lost', 'garbage', 'unknown'] as const)('%s is not definite: it is asked again', async (step) => {
    const { account, id } = await approved(step, step, step, step, step, 'confirmed')
    await running.reached(id, 'COMPLETED')
    expect(running.wallet.requestsFor(id)).toBe(6)
    expect(running.wallet.broadcasts.filter((one) => one === id)).toHaveLength(1)
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '0' })
  })

  test('a refusal of one that was begun in an attempt whose answer was lost is not definite', async () => {
    const { account, id } = await approved('lost', 'refused', 'pending', 'refused', 'down', 'refused', 'confirmed')
    await running.reached(id, 'COMPLETED')
    expect(running.wallet.broadcasts.filter((one) => one === id)).toHaveLength(1)
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '0' })
  })

  test('nor is one while the wallet service cannot say whether it has it', async () => {
    const { account, id } = await approved('lost', 'refused')
    await until(() => running.wallet.requestsFor(id) > 9)
    expect((await running.transaction(id)).status).toBe('APPROVED')
    running.wallet.script(id, 'confirmed')
    await running.reached(id, 'COMPLETED')
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '0' })
  })

  test('one that was accepted and that the wallet service then forgot is never begun anew', async () => {
    const { id } = await approved('pending', 'refused', 'down', 'down', 'refused')
    await until(() => running.wallet.requestsFor(id) > 5)
    expect(running.wallet.started.filter((one) => one.id === id)).toHaveLength(1)
    expect((await running.transaction(id)).status).toBe('APPROVED')
    running.wallet.script(id, 'confirmed')
    await running.reached(id, 'COMPLETED')
  })
})
