import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { GatewayTransaction } from '../src/reporting/gateway.model'
import {
  type Account,
  destinationAddress,
  gatewayPath,
  phase,
  type RunningLedger,
  runLedger,
} from './execution-harness'

let running: RunningLedger
let account: Account
beforeAll(async () => {
  running = await runLedger()
  account = await running.funded('1000')
})
afterAll(() => running.close())

const nobody = '01a1fe8f-0000-7000-8000-000000000000'
const participantId = 'participant-1'

interface Refusal {
  statusCode: number
  message: string | string[]
  error: string
}

const post = <T = GatewayTransaction>(path: string, body?: unknown, headers?: Record<string, string>) =>
  running.ledger.ask<T>('POST', `${gatewayPath}${path}`, body, headers)
const withdrawal = (fields: object = {}) => ({
  accountId: account.id,
  amount: '1.5',
  assetCode: running.asset.code,
  network: running.asset.network,
  participantId,
  destinationAddress,
  ...fields,
})
const frozenWithdrawal = async () => {
  const { body } = await post('/withdrawal', withdrawal({ amount: '1' }))
  await running.screen(body.id, false)
  return body.id
}
const frozenDeposit = async () => {
  const id = await running.deposit(account, '2')
  await running.screen(id, false)
  return id
}

describe('the review of frozen transactions', () => {
  test('a deposit is approved: the transaction, APPROVED', async () => {
    const id = await frozenDeposit()
    const { status, body } = await post(`/${id}/approve-frozen-deposit`)
    expect([status, body.id, body.status, body.type]).toEqual([200, id, 'APPROVED', 'deposit'])
    expect(phase(body, 'review')?.status).toBe('COMPLETED')
    expect(phase(body, 'execution')?.status).toBe('IN_PROGRESS')
    await running.reached(id, 'COMPLETED')
  })

  test('a deposit is rejected: the transaction, REJECTED, with its reason', async () => {
    const id = await frozenDeposit()
    const { status, body } = await post(`/${id}/reject-frozen-deposit`, { reason: 'stolen' })
    expect([status, body.status, body.transactionData.rejectionReason]).toEqual([200, 'REJECTED', 'stolen'])
    expect(phase(body, 'review')).toMatchObject({ status: 'FAILED', detail: 'stolen' })
    expect(phase(body, 'execution')).toMatchObject({ status: 'SKIPPED', startedAt: null })
  })

  test('a withdrawal is approved and executed', async () => {
    const id = await frozenWithdrawal()
    const { status, body } = await post(`/${id}/approve-frozen-withdrawal`)
    expect([status, body.status]).toEqual([200, 'APPROVED'])
    await running.reached(id, 'COMPLETED')
  })

  test('a withdrawal is rejected and its hold released', async () => {
    const before = await running.balance(account)
    const id = await frozenWithdrawal()
    expect(await running.balance(account)).not.toEqual(before)
    const { status, body } = await post(`/${id}/reject-frozen-withdrawal`, {})
    expect([status, body.status]).toEqual([200, 'REJECTED'])
    expect(await running.balance(account)).toEqual(before)
  })

  const operations = [
    'approve-frozen-deposit',
    'reject-frozen-deposit',
    'approve-frozen-withdrawal',
    'reject-frozen-withdrawal',
  ]
  test.each(operations)('%s: 404 names the id; 400 for one that is not FROZEN, or of the other type', async (name) => {
    const missing = await post<Refusal>(`/${nobody}/${name}`)
    expect([missing.status, missing.body.message]).toEqual([404, `Transaction ${nobody} not found`])
    const { body: pending } = await post('/withdrawal', withdrawal({ amount: '0.01' }))
    expect((await post(`/${pending.id}/${name}`)).status).toBe(400)
    const otherType = name.endsWith('deposit') ? await frozenWithdrawal() : await frozenDeposit()
    expect((await post(`/${otherType}/${name}`)).status).toBe(400)
  })

  test.each(operations.filter((name) => name.startsWith('reject')))(
    '%s: 400 for a reason that is no text',
    async (name) => {
      const { status, body } = await post<Refusal>(`/${nobody}/${name}`, { reason: 1 })
      expect([status, body.message]).toEqual([400, ['reason must be a string or null']])
    },
  )

  test('repeated with its key the answer is the first one', async () => {
    const id = await frozenDeposit()
    const key = { 'idempotency-key': 'review-1' }
    const first = await post(`/${id}/approve-frozen-deposit`, undefined, key)
    await running.reached(id, 'COMPLETED')
    const again = await post(`/${id}/approve-frozen-deposit`, undefined, key)
    expect([again.status, again.body]).toEqual([200, first.body])
  })
})
