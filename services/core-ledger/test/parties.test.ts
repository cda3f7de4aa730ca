import { afterAll, expect, test } from 'bun:test'
import { openLedger } from './harness'
import { quoteServer } from './quote-server'
import { type Bench, depositOf, make, makeAsset, outside, pay, rejectedDeposit, screen } from './steps'

const quote = quoteServer({ GOLD: 10 })
afterAll(() => quote.stop())

interface Habit {
  count: number
  completed: number
  refused: number
  usdValue: number
  largestUsd: number
  firstAt: string | null
}

test('what a customer and a counterparty usually do, without the transaction itself', async () => {
  const own = await openLedger({ urls: { quote: quote.url } })
  const { id: accountId, customerId } = await own.account()
  const { id: elsewhere, customerId: stranger } = await own.account()
  const assetId = await makeAsset(own, { code: 'GOLD' })
  const bench: Bench = { assetId, accountId, customerId }
  const bare: Bench = { ...bench, assetId: await makeAsset(own, { code: 'LEAD' }) }
  const first = await pay(own, bench, '3')
  await pay(own, bench, '5')
  await pay(own, bare, '100')
  await rejectedDeposit(own, bench, '9')
  await pay(own, { ...bench, accountId: elsewhere, customerId: stranger }, '2')
  const { id: asked } = await make(own, 'deposit', depositOf(bench, '7'))
  await screen(own, asked, false)
  const { body } = await own.ask<{
    customer: Habit
    counterparty: (Habit & { accounts: number; address: string }) | null
  }>('GET', `/transactions/${asked}/parties`)
  const { body: oldest } = await own.ask<{ createdAt: string }>('GET', `/transactions/${first.id}`)
  expect(body.customer).toMatchObject({
    count: 4,
    completed: 3,
    refused: 1,
    usdValue: 80,
    largestUsd: 50,
    firstAt: oldest.createdAt,
  })
  expect(body.counterparty).toMatchObject({ address: outside, count: 5, completed: 4, refused: 1, accounts: 2 })
  expect((await own.ask('GET', '/transactions/00000000-0000-7000-8000-000000000000/parties')).status).toBe(404)
  await own.close()
})

test('a first transaction has nothing before it', async () => {
  const own = await openLedger({ urls: { quote: quote.url } })
  const { id: accountId, customerId } = await own.account()
  const assetId = await makeAsset(own, { code: 'GOLD' })
  const { id } = await make(own, 'deposit', depositOf({ assetId, accountId, customerId }, '3'))
  const { body } = await own.ask<{ customer: Habit; counterparty: Habit }>('GET', `/transactions/${id}/parties`)
  const nothing = { count: 0, completed: 0, refused: 0, usdValue: 0, largestUsd: 0, firstAt: null }
  expect(body.customer).toMatchObject(nothing)
  expect(body.counterparty).toMatchObject(nothing)
  await own.close()
})
