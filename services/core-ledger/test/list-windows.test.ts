import { expect, test } from 'bun:test'
import { keyOf } from '../src/movements/key-of'
import { transactionKeys } from '../src/movements/transaction-keys.table'
import { transactions } from '../src/movements/transactions.table'
import { openLedger } from './harness'
import { type Bench, makeBench, type Tx } from './steps'

const many = 25_003
/** Few among many: each in another window, and one at the very end of one. */
const rare = [0, 9_999, 10_000, 17_500, many - 1]

const rowOf = ({ accountId, assetId, customerId }: Bench, i: number) => ({
  id: `0190000a-0000-7000-8000-${i.toString(16).padStart(12, '0')}`,
  customerId,
  accountId,
  assetId,
  type: rare.includes(i) ? ('WITHDRAWAL' as const) : ('DEPOSIT' as const),
  status: 'REJECTED' as const,
  amount: 1n,
  network: 'ethereum',
  sourceAddress: 'S1',
  createdAt: new Date(i),
  updatedAt: new Date(i),
})

test('a rare type is found among many, in pages, in either order, and counted', async () => {
  const ledger = await openLedger()
  const bench = await makeBench(ledger, '0')
  const rows = Array.from({ length: many }, (_, i) => rowOf(bench, i))
  await ledger.store.commit(async (tx) => {
    for (let i = 0; i < many; i += 1000) await tx.insert(transactions).values(rows.slice(i, i + 1000))
  })
  const ids = rare.map((i) => rows[i]?.id ?? '')
  const list = async (query: string) => {
    const { body, headers } = await ledger.ask<Tx[]>('GET', `/transactions?type=WITHDRAWAL${query}`)
    return [body.map(({ id }) => id), headers.get('x-total-count')]
  }
  expect(await list('')).toEqual([ids, null])
  expect(await list('&order=desc')).toEqual([ids.toReversed(), null])
  expect(await list('&limit=2&offset=1&count=true')).toEqual([ids.slice(1, 3), '5'])
  expect(await list('&limit=2&offset=1&order=desc')).toEqual([ids.toReversed().slice(1, 3), null])
  expect(await list(`&after=${ids[1]}&limit=3`)).toEqual([ids.slice(2), null])
  expect(await list(`&after=${ids[4]}&order=desc&limit=1`)).toEqual([ids.slice(3, 4), null])
  expect(await list('&offset=5')).toEqual([[], null])
  expect(await list('&network=polygon&count=true')).toEqual([[], '0'])
  expect(await list('&status=REJECTED&count=true')).toEqual([ids, '5'])
  expect(await list('&status=FAILED&count=true')).toEqual([[], '0'])
  // All have one address, and are in the index but for the last hundred.
  const keys = rows.slice(0, -100).map(({ id }) => ({ key: keyOf('S1'), transactionId: id }))
  await ledger.store.commit(async (tx) => {
    for (let i = 0; i < keys.length; i += 1000) await tx.insert(transactionKeys).values(keys.slice(i, i + 1000))
  })
  const indexed = ids.slice(0, -1)
  expect(await list('&address=s1&count=true')).toEqual([indexed, '4'])
  expect(await list('&address=s1&order=desc&limit=2&offset=1')).toEqual([indexed.toReversed().slice(1, 3), null])
  const { headers } = await ledger.ask('GET', '/transactions?limit=0&count=true')
  expect(headers.get('x-total-count')).toBe(String(many))
  await ledger.close()
})
