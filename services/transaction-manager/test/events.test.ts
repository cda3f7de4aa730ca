import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PaymentState } from '@bursar/contracts/transaction-manager'
import { openService, type TestTransactionManager } from './harness'
import { deposit, made, transfer, withdrawal } from './requests'

let manager: TestTransactionManager
let bank: { id: string; participantId: string; custodianBankId: string }
beforeAll(async () => {
  manager = await openService()
  bank = (await manager.party()).bank
})
afterAll(() => manager.close())

const eventsOf = async (id: string) =>
  (await manager.events()).filter(({ data }) => (data as PaymentState).id === id) as {
    name: string
    requestId: string | null
    timestamp: string
    data: PaymentState
  }[]

const changesAfter = async (after: number) =>
  (await manager.get(`/internal/payments/changes?after=${after}`, await manager.asService('main-api'))).body

/** The version of the newest change. */
async function lastVersion(): Promise<number> {
  for (let after = 0; ; ) {
    const { items, more } = await changesAfter(after)
    after = items.at(-1)?.version ?? after
    if (!more) return after
  }
}

describe('events', () => {
  test('carry the state of a payment at its creation and after each change of status', async () => {
    const other = await manager.party({ name: 'Other' })
    const payment = await transfer(manager, bank.id, other.bank.id, { reference: 'E-1', description: 'x' })
    await manager.put(`/transfer/${payment.id}`, { status: 'APPROVED', comment: 'Fine' }, { 'x-request-id': 'req-1' })
    const events = await eventsOf(payment.id)
    const state = {
      v: 1,
      id: payment.id,
      type: 'TRANSFER',
      amount: '100',
      currency: 'USD',
      from: payment.from,
      to: payment.to,
      reference: 'E-1',
      description: 'x',
      transactionHash: null,
      createdAt: payment.createdAt,
    }
    const [{ data: first }, { data: second, ...envelope }] = events as [
      (typeof events)[number],
      (typeof events)[number],
    ]
    expect(events).toHaveLength(2)
    expect(first).toEqual({
      ...state,
      status: 'PENDING',
      updatedAt: payment.createdAt,
      previous: null,
      comment: null,
      epoch: first.epoch,
      version: first.version,
    } as PaymentState)
    expect(second).toEqual({
      ...state,
      status: 'APPROVED',
      updatedAt: envelope.timestamp,
      previous: 'PENDING',
      comment: 'Fine',
      epoch: first.epoch,
      version: second.version,
    } as PaymentState)
    expect(second.version).toBeGreaterThan(first.version)
    expect(envelope).toMatchObject({ name: 'transaction-manager.payment.moved', requestId: 'req-1' })
  })

  test('are not published for a refused request', async () => {
    const before = (await manager.events()).length
    const { id } = await withdrawal(manager, bank.id, { reference: 'E-2' })
    await manager.put(`/withdrawal/${id}`, { status: 'COMPLETED' })
    await manager.post('/withdrawal', { amount: '1', currency: 'USD', participantBankId: bank.id, reference: 'E-2' })
    expect((await manager.events()).length).toBe(before + 1)
  })
})

describe('GET /internal/payments/changes', () => {
  test('returns the current state of each payment, in the order of the last changes', async () => {
    const start = await lastVersion()
    const one = await deposit(manager, bank.id)
    const two = await made(manager, '/do-deposit', { amount: '5', currency: 'USD', participantBankId: bank.id })
    await manager.put(`/deposit/${one.reference}`, { status: 'COMPLETED', transactionHash: 'H-1' })
    const page = await changesAfter(start)
    expect(page.more).toBe(false)
    expect(page.items.map(({ record }: { record: PaymentState }) => [record.id, record.status])).toEqual([
      [two.id, 'PENDING'],
      [one.id, 'COMPLETED'],
    ])
    const { version, record } = page.items[1]
    const moved = (await eventsOf(one.id)).at(-1)?.data
    const { v, previous, comment, epoch, version: eventVersion, ...rest } = moved as PaymentState
    expect([record, version, page.epoch]).toEqual([rest, eventVersion, epoch])
    expect(await changesAfter(version)).toEqual({ epoch: page.epoch, items: [], more: false })
  })

  test('includes changes of details', async () => {
    const { id } = await deposit(manager, bank.id)
    const version = await lastVersion()
    await manager.put(`/deposit/${id}/update`, { transactionHash: 'H-2' })
    expect((await changesAfter(version)).items).toMatchObject([{ record: { id, transactionHash: 'H-2' } }])
  })

  test('returns at most 500 at once', async () => {
    const start = await lastVersion()
    const transfers = (to: string) =>
      Array.from({ length: 100 }, () => ({
        amount: '1',
        currency: 'USD',
        fromParticipantBankId: bank.id,
        toParticipantBankId: to,
      }))
    const { bank: to } = await manager.party()
    for (let i = 0; i < 6; i++) {
      await manager.post('/transfer/execute-many-send-payment', { transfers: transfers(to.id) })
    }
    const first = await changesAfter(start)
    const rest = await changesAfter(first.items.at(-1).version)
    expect([first.items.length, first.more, rest.items.length, rest.more]).toEqual([500, true, 100, false])
  })
})
