import { describe, expect, test } from 'bun:test'
import type { WithdrawalState } from '@bursar/contracts/wallet'
import { contradiction, missingOrders, reconcileOrders } from '../src/reconciliation/reconcile-orders'
import { eachWithPeers, ledger, record, says, sides, txHash, withdrawal } from './reconcile-harness'
import { makeBench } from './steps'

eachWithPeers()

describe('the orders', () => {
  test('agree when each is on its way or ended alike', async () => {
    const bench = await makeBench(ledger)
    const done = await withdrawal(bench, 'COMPLETED')
    const approved = await withdrawal(bench, 'APPROVED')
    const paid = await withdrawal(bench, 'APPROVED')
    says.records.push(record(done, 'confirmed'), record(approved, 'broadcast'), record(paid, 'confirmed'))
    says.records.push(record(Bun.randomUUIDv7(), 'failed'))
    expect(await reconcileOrders(sides)).toEqual({ orders: 4, epoch: 1, after: 4, differences: [], missing: 0 })
  })

  test('differ when one was carried out that the ledger does not know, as after a restore', async () => {
    const unknown = Bun.randomUUIDv7()
    says.records.push(record(unknown, 'confirmed'))
    const { differences } = await reconcileOrders(sides)
    expect(differences).toEqual([{ id: unknown, what: `not known here, confirmed at the wallet service (${txHash})` }])
  })

  test('differ when a completed one is not confirmed, and it is named', async () => {
    const bench = await makeBench(ledger)
    const [lost, done] = [await withdrawal(bench, 'COMPLETED'), await withdrawal(bench, 'COMPLETED')]
    says.records.push(record(done, 'confirmed'))
    expect(await reconcileOrders(sides)).toMatchObject({ differences: [], missing: 1 })
    const named: string[] = []
    for await (const { id, what } of missingOrders(sides)) named.push(`${id} ${what}`)
    expect(named).toEqual([`${lost} COMPLETED here; the wallet service has no order of it`])
  })

  test.each(['accepted', 'broadcast', 'failed'] as const)(
    'one that is %s there is not counted as paid',
    async (status) => {
      const done = await withdrawal(await makeBench(ledger), 'COMPLETED')
      says.records.push(record(done, status))
      expect(await reconcileOrders(sides)).toMatchObject({ orders: 1, missing: 1 })
    },
  )

  test('are all looked at, over pages; after a version those that follow', async () => {
    says.records.push(...Array.from({ length: 7 }, () => record(Bun.randomUUIDv7(), 'failed')))
    expect(await reconcileOrders(sides)).toMatchObject({ orders: 7, after: 7, missing: 0 })
    expect(await reconcileOrders(sides, 5)).toMatchObject({ orders: 2, after: 7, missing: null })
  })

  const withdrawn = { type: 'WITHDRAWAL', network: 'ethereum', txHash } as const
  const cases = ['PENDING', 'FROZEN', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED'] as const
  /** By the wallet service's word: the ledger's statuses that it contradicts. */
  const contradicted: [WithdrawalState['status'], string[]][] = [
    ['accepted', ['PENDING', 'FROZEN', 'COMPLETED', 'REJECTED', 'FAILED']],
    ['broadcast', ['PENDING', 'FROZEN', 'COMPLETED', 'REJECTED', 'FAILED']],
    ['confirmed', ['PENDING', 'FROZEN', 'REJECTED', 'FAILED']],
    ['failed', ['COMPLETED']],
  ]
  test.each(contradicted)('%s contradicts %p', (word, statuses) => {
    const found = cases.filter((status) => contradiction(record('x', word), { ...withdrawn, status }) !== null)
    expect(found).toEqual(statuses as typeof found)
  })

  test('an unknown order contradicts COMPLETED alone; a hash another hash; an order a deposit', () => {
    expect(cases.filter((status) => contradiction(null, { ...withdrawn, status }) !== null)).toEqual(['COMPLETED'])
    const done = { ...withdrawn, status: 'COMPLETED' } as const
    expect(contradiction(record('x', 'confirmed', txHash.toUpperCase().replace('0X', '')), done)).toBeNull()
    expect(contradiction(record('x', 'confirmed', `0x${'cd'.repeat(32)}`), done)).toMatch(/with hash/)
    expect(contradiction(record('x', 'confirmed'), { ...done, type: 'DEPOSIT' })).toMatch(/^a DEPOSIT here/)
  })
})
