import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Ledger, openLedger } from './harness'
import { type Bench, balanceOf, complete, failIt, getTransaction, makeBench, screen, type Tx } from './steps'

let ledger: Ledger
let from: Bench
let to: Bench
beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger.close())

async function pair(amount = '10') {
  from = await makeBench(ledger, amount)
  const { id, customerId } = await ledger.account()
  to = { ...from, accountId: id, customerId }
}
const transfer = (amount: string, fields: object = {}) =>
  ledger.ask<Tx>('POST', '/transactions/transfer', {
    fromAccountId: from.accountId,
    toAccountId: to.accountId,
    assetId: from.assetId,
    amount,
    ...fields,
  })

describe('POST /transactions/transfer', () => {
  test('201: held at the sender, with the receiver once completed', async () => {
    await pair()
    const { status, body } = await transfer('4', { reference: 'rent' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      type: 'TRANSFER',
      status: 'PENDING',
      accountId: from.accountId,
      toAccountId: to.accountId,
      customerId: from.customerId,
      amount: '4',
      reference: 'rent',
      destinationAddress: null,
    })
    expect(await balanceOf(ledger, from)).toEqual(['6', '4', '10'])
    expect(await balanceOf(ledger, to)).toEqual([])
    await screen(ledger, body.id, true)
    await complete(ledger, body.id)
    expect(await balanceOf(ledger, from)).toEqual(['6', '0', '6'])
    expect(await balanceOf(ledger, to)).toEqual(['4', '0', '4'])
    expect((await getTransaction(ledger, body.id)).status).toBe('COMPLETED')
  })

  test('rejected, or failed, it goes back to the sender', async () => {
    await pair()
    const rejected = (await transfer('4')).body
    await screen(ledger, rejected.id, false)
    const { status } = await ledger.ask('POST', `/transactions/${rejected.id}/reject-frozen-withdrawal`, {})
    expect(status).toBe(200)
    const failed = (await transfer('5')).body
    await screen(ledger, failed.id, true)
    await failIt(ledger, failed.id, 'no reason')
    expect(await balanceOf(ledger, from)).toEqual(['10', '0', '10'])
    expect(await balanceOf(ledger, to)).toEqual([])
  })

  test('400 to the same account, above the balance, to or from an account that is not active', async () => {
    await pair()
    expect((await transfer('1', { toAccountId: from.accountId })).body.message).toMatch(/^toAccountId must be another/)
    expect((await transfer('1', { toAccountId: from.accountId.toUpperCase() })).status).toBe(400)
    expect((await transfer('11')).body.message).toMatch(/^Insufficient balance/)
    const { id } = await ledger.account({ status: 'inactive' })
    expect((await transfer('1', { toAccountId: id })).body.message).toMatch(/is inactive/)
    expect((await transfer('1', { fromAccountId: id })).body.message).toMatch(/is inactive/)
  })

  test('400 names all missing fields', async () => {
    const { status, body } = await ledger.ask('POST', '/transactions/transfer', {})
    expect(status).toBe(400)
    expect(body.message).toEqual(
      ['fromAccountId', 'toAccountId', 'assetId', 'amount'].map((field) => `${field} should not be empty`),
    )
  })

  test('404 for an unknown asset', async () => {
    await pair()
    expect((await transfer('1', { assetId: '00000000-0000-7000-8000-000000000000' })).status).toBe(404)
  })

  test('concurrent transfers back and forth keep the sum', async () => {
    await pair('10')
    const all = await Promise.all(Array.from({ length: 30 }, () => transfer('0.5')))
    const made = all.filter(({ status }) => status === 201)
    expect(made).toHaveLength(20)
    await Promise.all(made.map(({ body }) => screen(ledger, body.id, true)))
    await Promise.all(made.map(({ body }) => complete(ledger, body.id)))
    expect(await balanceOf(ledger, from)).toEqual(['0', '0', '0'])
    expect(await balanceOf(ledger, to)).toEqual(['10', '0', '10'])
  })
})
