import { describe, expect, test } from 'bun:test'
import { AccountCreated, AccountUpdated } from '@bursar/contracts/account'
import { CustomerUpdated } from '@bursar/contracts/customer'
import type { Envelope } from '@bursar/contracts/event'
import { account, customer, expectRising } from './harness'
import { get, participant, service, withPeers } from './peered-service'
import { epoch } from './peers'

withPeers()

describe('later events of the other services', () => {
  const say = (event: { name: string; type: string }, data: object, id: string = Bun.randomUUIDv7()) =>
    service.consume({
      id,
      name: event.name,
      type: event.type,
      timestamp: '2026-01-01T00:00:00.000Z',
      requestId: null,
      service: 'other',
      data,
    } satisfies Envelope)

  test('are applied: the highest version wins, in any order, however often', async () => {
    const { id, customers } = await participant({ customers: [customer({ accounts: [account()] })] })
    const [{ accounts, ...own }] = customers
    const [nested] = accounts
    const third = Bun.randomUUIDv7()
    await say(CustomerUpdated, { customer: { ...own, status: 'suspended' }, epoch, version: 3 }, third)
    await say(CustomerUpdated, { customer: { ...own, status: 'inactive' }, epoch, version: 2 })
    await say(CustomerUpdated, { customer: { ...own, status: 'suspended' }, epoch, version: 3 }, third)
    const state = { participantId: null, epoch }
    await say(AccountUpdated, { ...state, account: { ...nested, status: 'deleted' }, version: 2 })
    await say(AccountCreated, { ...state, account: nested, version: 1 })
    const [shown] = (await get(id)).customers
    expect([shown.status, shown.accounts[0].status]).toEqual(['suspended', 'deleted'])
  })

  test('are applied: an account of a customer created elsewhere', async () => {
    const { id, customers } = await participant({ customers: [customer({ accounts: [account()] })] })
    const [{ accounts }] = customers
    const another = { ...accounts[0], id: Bun.randomUUIDv7(), name: 'Elsewhere' }
    await say(AccountCreated, { account: another, participantId: null, epoch, version: 1 })
    expect((await get(id)).customers[0].accounts).toEqual([accounts[0], another])
  })

  test('are applied: the omnibus and the fee-payer account of a participant', async () => {
    const { id } = await participant({ customers: [] })
    const own = (type: string) => ({
      account: { ...account({ type }), id: Bun.randomUUIDv7(), createdAt: '2026-01-01T00:00:00.000Z' },
      participantId: id,
      epoch,
      version: 1,
    })
    const [omnibus, feePayer] = [own('OMNIBUS'), own('FEE_PAYER')]
    const rest = {
      customerId: null,
      customerExternalId: null,
      walletAccountId: null,
      accountExternalId: null,
      customerName: null,
    }
    for (const state of [omnibus, feePayer, { ...omnibus, version: 2 }]) {
      await say(AccountCreated, { ...state, account: { ...state.account, ...rest } })
    }
    const ids = { omnibusAccountId: omnibus.account.id, feePayerAccountId: feePayer.account.id }
    expect(await get(id)).toMatchObject(ids)
    const events = await service.eventsOf(id)
    expect(events.map(({ type }) => type)).toEqual([
      'PARTICIPANT_CREATED',
      'PARTICIPANT_UPDATED',
      'PARTICIPANT_UPDATED',
    ])
    expectRising(events)
    expect(events.at(-1)?.data).toMatchObject(ids)
  })
})
