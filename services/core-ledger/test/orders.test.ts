import { beforeEach, describe, expect, test } from 'bun:test'
import type { OrderedState, OrderedWithdrawal } from '@bursar/contracts/core-ledger'
import { isUuid } from '@bursar/contracts/schema'
import { fail } from '../src/errors'
import { openLedger } from './harness'
import { assetId, contract, ledger, owners, withOwners } from './owned-ledger'
import { newAccount } from './owners'
import { type Bench, balanceOf, complete, failIt, getTransaction, outside, pay, screen, type Tx } from './steps'

withOwners()
let bench: Bench
/** An omnibus account with 100 of the asset. */
beforeEach(async () => {
  const { id: accountId } = await ledger.account({ type: 'OMNIBUS', customerId: null })
  bench = { assetId, accountId, customerId: '' }
  await pay(ledger, bench, '100')
})

const path = '/internal/withdrawals'
const orderOf = (fields: Partial<OrderedWithdrawal> = {}): OrderedWithdrawal => ({
  id: Bun.randomUUIDv7(),
  accountId: bench.accountId,
  network: 'ethereum',
  contractAddress: contract,
  amount: '40',
  destinationAddress: outside,
  reference: 'order-1',
  ...fields,
})
const send = async (order: object) =>
  ledger.ask<OrderedState>('POST', path, order, await ledger.asService('blockchain'))
async function order(of: OrderedWithdrawal): Promise<OrderedState> {
  const { status, body } = await send(of)
  expect(status).toBe(200)
  return body
}
async function states(...items: string[]): Promise<(OrderedState | null)[]> {
  const headers = await ledger.asService('blockchain')
  const answer = await ledger.ask<{ items: (OrderedState | null)[] }>('POST', `${path}/states`, { items }, headers)
  expect(answer.status).toBe(200)
  return answer.body.items
}
const withdrawals = async () =>
  (await ledger.ask<Tx[]>('GET', `/transactions?accountId=${bench.accountId}&type=WITHDRAWAL`)).body

describe('POST /internal/withdrawals', () => {
  test('creates a withdrawal of the account: held, PENDING, to be screened', async () => {
    const asked = orderOf({ network: ' Ethereum ', contractAddress: contract.toLowerCase() })
    const state = await order(asked)
    expect(state).toEqual({ id: asked.id, transactionId: expect.any(String), status: 'PENDING', reason: null })
    expect(isUuid(state.transactionId ?? '')).toBe(true)
    expect(state.transactionId).not.toBe(asked.id)
    expect(await getTransaction(ledger, state.transactionId ?? '')).toMatchObject({
      type: 'WITHDRAWAL',
      status: 'PENDING',
      accountId: bench.accountId,
      assetId,
      amount: '40',
      destinationAddress: outside,
      reference: 'order-1',
    })
    expect(await balanceOf(ledger, bench)).toEqual(['60', '40', '100'])
    const created = (await ledger.events()).filter(({ name }) => name === 'core-ledger.transaction.created')
    expect(created.at(-1)?.data).toMatchObject({ id: state.transactionId, type: 'WITHDRAWAL' })
  })

  test('a repeat is the same withdrawal, also concurrently', async () => {
    const asked = orderOf()
    const answers = await Promise.all(Array.from({ length: 5 }, () => order(asked)))
    expect(new Set(answers.map(({ transactionId }) => transactionId)).size).toBe(1)
    expect(await order({ ...asked, amount: '1' })).toEqual(answers[0] as OrderedState)
    expect(await withdrawals()).toHaveLength(1)
    expect(await balanceOf(ledger, bench)).toEqual(['60', '40', '100'])
  })

  test('one that is refused has one refusal, also concurrently', async () => {
    const asked = orderOf({ amount: '1000' })
    const answers = await Promise.all(Array.from({ length: 5 }, () => order(asked)))
    expect(new Set(answers.map(({ reason }) => reason)).size).toBe(1)
    expect(answers[0]).toMatchObject({ transactionId: null, reason: expect.stringContaining('Insufficient balance') })
  })

  test.each([
    ['more than there is', { amount: '100.000001' }, /^Insufficient balance: 100 USD\d+ available/],
    ['an amount that is none', { amount: '-1' }, /^amount /],
    ['too many decimals', { amount: '0.0000001' }, /^amount /],
    ['an address that is none', { destinationAddress: '0x12' }, /^destinationAddress /],
    [
      'an unknown contract',
      { contractAddress: `0x${'ab'.repeat(20)}` },
      /^No asset is the contract 0xabab.* on ethereum$/,
    ],
    ['a coin that is no asset', { contractAddress: null }, /^No asset is its native coin on ethereum$/],
    ['another network', { network: 'polygon' }, /^No asset is the contract 0x5aAe.* on polygon$/],
  ])('%s is refused, and stays refused', async (_, fields, reason) => {
    const asked = orderOf(fields)
    const refused = await order(asked)
    expect(refused).toEqual({ id: asked.id, transactionId: null, status: null, reason: expect.stringMatching(reason) })
    expect(await order({ ...asked, ...orderOf({ id: asked.id }) })).toEqual(refused)
    expect(await states(asked.id)).toEqual([refused])
    expect(await withdrawals()).toEqual([])
    expect(await balanceOf(ledger, bench)).toEqual(['100', '0', '100'])
  })

  test('an account of another type, unknown, or not active is refused', async () => {
    const { id } = await ledger.account()
    expect((await order(orderOf({ accountId: id }))).reason).toBe(
      `Account ${id} is of type STABLECOINS; it must be OMNIBUS`,
    )
    const nobody = Bun.randomUUIDv7()
    expect((await order(orderOf({ accountId: nobody }))).reason).toBe(`Account ${nobody} not found`)
    const closed = await ledger.account({ type: 'OMNIBUS', customerId: null, status: 'suspended' })
    expect((await order(orderOf({ accountId: closed.id }))).reason).toMatch(/is suspended; only active accounts/)
  })

  test('a failure for another reason is not stored: it may be ordered again', async () => {
    const asked = orderOf({ accountId: Bun.randomUUIDv7() })
    const lonely = await openLedger()
    const headers = await lonely.asService('blockchain')
    expect((await lonely.ask('POST', path, asked, headers)).status).toBe(503)
    const states = await lonely.ask<{ items: unknown[] }>('POST', `${path}/states`, { items: [asked.id] }, headers)
    expect(states.body.items).toEqual([null])
    await lonely.close()
    const account = newAccount({ id: asked.accountId, type: 'OMNIBUS' })
    owners.putAccount(account)
    expect((await order(asked)).reason).toMatch(/^Insufficient balance/)
  })

  test('503 while no money may move, and nothing is stored', async () => {
    const { books } = ledger.deps
    const { requireOpen } = books
    const asked = orderOf()
    Object.assign(books, {
      requireOpen() {
        throw fail('BOOKS_DIFFER')
      },
    })
    const { status } = await send(asked)
    Object.assign(books, { requireOpen })
    expect(status).toBe(503)
    expect((await order(asked)).status).toBe('PENDING')
  })

  test('400 for an invalid order; 401 for callers other than the blockchain service', async () => {
    expect((await send({})).status).toBe(400)
    for (const headers of [await ledger.asService('wallet'), await ledger.as({}), {}]) {
      expect((await ledger.ask('POST', path, orderOf(), headers)).status).toBe(401)
      expect((await ledger.ask('POST', `${path}/states`, { items: [Bun.randomUUIDv7()] }, headers)).status).toBe(401)
    }
  })
})

describe('POST /internal/withdrawals/states', () => {
  test('follows each order to its end; null for an unknown one', async () => {
    const orders = await Promise.all(['1', '2', '3', '4'].map((amount) => order(orderOf({ amount }))))
    const [paid, failed, rejected] = orders.map(({ transactionId }) => transactionId ?? '')
    for (const id of [paid, failed]) await screen(ledger, id ?? '', true)
    await screen(ledger, rejected ?? '', false)
    await complete(ledger, paid ?? '', '0xab')
    await failIt(ledger, failed ?? '', 'The chain refused it')
    await ledger.ask('POST', `/transactions/${rejected}/reject-frozen-withdrawal`, { reason: 'No' })
    const nobody = Bun.randomUUIDv7()
    const found = await states(...orders.map(({ id }) => id), nobody)
    expect(found.map((state) => state && [state.status, state.reason])).toEqual([
      ['COMPLETED', null],
      ['FAILED', 'The chain refused it'],
      ['REJECTED', 'No'],
      ['PENDING', null],
      null,
    ])
  })
})
