import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq, sql } from '@bursar/store'
import { transactions } from '../src/movements/transactions.table'
import type { GatewayTransaction } from '../src/reporting/gateway.model'
import { type Account, gatewayPath, type RunningLedger, runLedger } from './execution-harness'

// GET /api/v1/core/transactions among many accounts.
let many: RunningLedger
beforeAll(async () => {
  many = await runLedger()
})
afterAll(() => many.close())
const listed = async (query: Record<string, string>) => {
  const { body } = await many.ledger.ask<GatewayTransaction[]>('GET', `${gatewayPath}?${new URLSearchParams(query)}`)
  return body.map(({ id }) => id)
}

test('by customer, over several accounts, and by type, over many', async () => {
  const first = await many.funded('100')
  const { customerId } = first
  const another = await many.ledger.account({ customerId, type: 'OMNIBUS' })
  const theirs = [
    await many.withdraw(first, '1'),
    await many.transfer(first, await many.ledger.account(), '1'),
    await many.deposit(another, '1'),
  ]
  expect(await listed({ customerId, pageSize: '3' })).toEqual(theirs.toReversed())
  expect(await listed({ customerId, page: '2', pageSize: '1' })).toEqual([theirs[1]] as string[])
  expect(await listed({ customerId, page: '3', pageSize: '1' })).toEqual([theirs[0]] as string[])
  expect(await listed({ customerId, page: '20000', pageSize: '1' })).toEqual([])
  for (const [order, third] of [['asc', theirs[1]] as const, ['desc', theirs[0]] as const]) {
    const { body } = await many.ledger.ask(
      'GET',
      `/transactions?customerId=${customerId}&order=${order}&offset=2&limit=1`,
    )
    expect(body).toMatchObject([{ id: third }])
  }
  for (let i = 0; i < 101; i++) await many.ledger.account({ type: 'OMNIBUS' })
  expect(await listed({ accountType: 'OMNIBUS' })).toEqual([theirs[2]] as string[])
  expect(await listed({ accountType: 'OMNIBUS', status: 'FROZEN' })).toEqual([])
  for (let i = 0; i < 101; i++) await many.ledger.account({ customerId, type: 'OMNIBUS' })
  expect(await listed({ accountType: 'OMNIBUS', customerId })).toEqual([theirs[2]] as string[])
})

test('by type, over more than a hundred: those of the last ones, too', async () => {
  const made: Account[] = []
  for (let i = 0; i < 105; i++) made.push(await many.ledger.account({ type: 'FEE_PAYER', customerId: null }))
  const theirs = []
  for (const i of [0, 99, 100, 104]) theirs.push(await many.deposit(made[i] as Account, '1'))
  expect(await listed({ accountType: 'FEE_PAYER' })).toEqual(theirs.toReversed())
})

test('of several accounts, the records of what a page skips are not read: they would hold the event loop', async () => {
  const first = await many.funded('100')
  const another = await many.ledger.account({ customerId: first.customerId })
  const skipped = await many.withdraw(first, '1')
  const last = await many.deposit(another, '1')
  const unreadable = { phases: sql`'no JSON'` as never }
  await many.ledger.store.commit(
    async (tx) => void (await tx.update(transactions).set(unreadable).where(eq(transactions.id, skipped))),
  )
  const { status, body } = await many.ledger.ask('GET', `/transactions?customerId=${first.customerId}&offset=2`)
  expect([status, body]).toMatchObject([200, [{ id: last }]])
})
