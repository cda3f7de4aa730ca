import { describe, expect, test } from 'bun:test'
import { type Client, reconcile } from '@bursar/http'
import { until } from '@bursar/testing'
import { auditAll } from '../src/audit/audit'
import { depositWorkers, listedDeposits, retryUnmatched } from '../src/deposits/deposits.consumer'
import { unmatchedDeposits } from '../src/deposits/unmatched-deposits.table'
import { listShortfalls } from '../src/movements/shortfalls'
import { knownCauses } from '../src/reconciliation/causes'
import {
  bench,
  credit,
  deliver,
  eachWithChain,
  ledger,
  owner,
  recorded,
  reverse,
  says,
  seen,
  txHash,
  unmatched,
} from './deposit-harness'
import { balanceOf, complete, getTransaction, make, outside, pay, screen, shortfallOf } from './steps'

eachWithChain()

/** When what was set aside is due again. */
const later = () => new Date(Date.now() + 120_000)

/** Reads the blockchain service's list once. */
const pull = () => reconcile(ledger.deps, listedDeposits(ledger.deps))

describe('a deposit that its chain reversed', () => {
  const withdraw = () => shortfallOf(ledger, bench.accountId, bench.assetId)

  test.each(['PENDING', 'FROZEN', 'APPROVED'])(
    'is not credited from %s on, and is once it is confirmed again',
    async (status) => {
      await deliver()
      const [{ id } = { id: '' }] = await recorded()
      if (status !== 'PENDING') await screen(ledger, id, status === 'APPROVED')
      await reverse()
      if (status === 'PENDING') await screen(ledger, id, true)
      if (status === 'FROZEN') await ledger.ask('POST', `/transactions/${id}/approve-frozen-deposit`)
      expect(await complete(ledger, id)).toBe('held')
      expect(await balanceOf(ledger, bench)).toEqual([])
      expect(await withdraw()).toBeNull()
      await deliver({ confirmedAt: '2026-01-03T00:00:00.000Z' })
      expect(await complete(ledger, id)).toBe('done')
      expect(await balanceOf(ledger, bench)).toEqual(['1.5', '0', '1.5'])
      expect(await recorded()).toHaveLength(1)
    },
  )

  test('has the reason of its wait', async () => {
    await deliver()
    const [{ id } = { id: '' }] = await recorded()
    await screen(ledger, id, true)
    await reverse()
    const workers = ledger.startWorkers()
    const phases = async () =>
      (await ledger.ask<{ phases: { detail: string | null }[] }>('GET', `/api/v1/core/transactions/${id}`)).body.phases
    await until(async () =>
      (await phases()).some(({ detail }) => detail?.includes('was taken off the chain at 2026-01-02')),
    )
    await Promise.all(workers.map((worker) => worker.stop()))
    expect((await getTransaction(ledger, id)).status).toBe('APPROVED')
  })

  test('after it was credited opens a shortfall of its account, which is logged and closes when it is confirmed again', async () => {
    const other = await owner()
    await deliver()
    await deliver({ logIndex: 4, amount: '2000000' })
    await deliver({ logIndex: 5, accountId: other.accountId })
    for (const { id } of await recorded()) await credit(id)
    ledger.broker.published.length = 0
    await reverse()
    await reverse({ logIndex: 4, amount: '2000000' })
    await reverse()
    expect(await withdraw()).toMatchObject({
      reason: expect.stringMatching(/^3\.5 USD\d+ were credited and taken off/),
    })
    expect(await shortfallOf(ledger, other.accountId, bench.assetId)).toBeNull()
    const lines = (await ledger.events()).filter(
      ({ data }) => (data as { event_type?: string }).event_type === 'ERROR_OCCURRED',
    )
    expect(lines).toMatchObject([
      { data: { metadata: { message: 'A deposit was taken off its chain', amount: '1.5', tx_hash: txHash } } },
      { data: { metadata: { amount: '2' } } },
    ])
    const health = await ledger.ask<{ status: string; waiting: string[] }>('GET', '/health')
    expect([health.status, health.body.status, health.body.waiting]).toEqual([
      200,
      'degraded',
      ['Withdrawals wait for 1 shortfall: bun run reconcile'],
    ])
    const again = '2026-01-03T00:00:00.000Z'
    await deliver({ confirmedAt: again })
    expect(await withdraw()).toMatchObject({ reason: expect.stringMatching(/^2 USD/) })
    await deliver({ logIndex: 4, amount: '2000000', confirmedAt: again })
    expect(await listShortfalls(ledger.store.read)).toEqual([])
    expect(await balanceOf(ledger, bench)).toEqual(['3.5', '0', '3.5'])
    expect((await ledger.ask('GET', '/health')).body.status).toBe('ok')
  })

  test('after it was credited keeps transfers of its account back, and none to it', async () => {
    await deliver()
    const [{ id } = { id: '' }] = await recorded()
    await credit(id)
    const other = { ...bench, ...(await owner()) }
    await pay(ledger, other, '5')
    await reverse()
    const transfer = async (from: string, to: string) => {
      const body = { fromAccountId: from, toAccountId: to, assetId: bench.assetId, amount: '1' }
      const made = await make(ledger, 'transfer', body)
      await screen(ledger, made.id, true)
      return await complete(ledger, made.id)
    }
    expect(await transfer(bench.accountId, other.accountId)).toBe('held')
    expect(await transfer(other.accountId, bench.accountId)).toBe('done')
  })

  test('a late event changes nothing', async () => {
    await reverse()
    await deliver()
    expect(await recorded()).toEqual([])
    await deliver({ confirmedAt: '2026-01-03T00:00:00.000Z' })
    await reverse()
    const [{ id } = { id: '' }] = await recorded()
    expect(await credit(id)).toBe('done')
  })

  test('is off its chain when an event says at the same time that it was confirmed', async () => {
    await reverse()
    await deliver({ confirmedAt: '2026-01-02T00:00:00.000Z' })
    expect(await recorded()).toEqual([])
  })

  test('is off its chain also when it was confirmed at that very time', async () => {
    await deliver({ confirmedAt: '2026-01-02T00:00:00.000Z' })
    await reverse()
    expect(await credit((await recorded())[0]?.id ?? '')).toBe('held')
  })

  test('that was set aside is no longer set aside', async () => {
    await deliver({ decimals: 8 })
    const [row] = await ledger.store.read.select().from(unmatchedDeposits)
    await reverse({ ...row?.deposit, reversedAt: '2026-01-02T00:00:00.000Z' })
    expect(await unmatched()).toEqual([])
  })

  test('that was set aside by a clock that was ahead is no longer, when the list has it as reversed', async () => {
    await pull()
    const deposit = seen({ decimals: 8, confirmedAt: '2999-01-01T00:00:00.000Z' })
    await deliver(deposit)
    says.listed = [{ ...deposit, reversedAt: '2026-01-02T00:00:00.000Z' }]
    await pull()
    expect(await unmatched()).toEqual([])
  })

  test('that is told anew while it is tried again stays as it was told last', async () => {
    const deposit = seen({ accountId: Bun.randomUUIDv7() })
    await deliver(deposit)
    const { client } = ledger.deps
    const find: Client['find'] = async (call, input) => {
      await deliver({ ...deposit, amount: '7', confirmedAt: '2026-01-03T00:00:00.000Z' })
      return await client.find(call, input)
    }
    await retryUnmatched({ ...ledger.deps, client: { ...client, find } }, later())
    const [row] = await ledger.store.read.select().from(unmatchedDeposits)
    expect(row?.deposit.amount).toBe('7')
  })

  test('is found in the list as well, when its event was lost', async () => {
    await deliver()
    const [{ id } = { id: '' }] = await recorded()
    await credit(id)
    says.listed = [seen({ reversedAt: '2026-01-02T00:00:00.000Z' })]
    const workers = depositWorkers(ledger.deps)
    await until(async () => (await withdraw()) !== null)
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  test('stays off its chain when a page of the list arrives that was read before', async () => {
    await pull()
    await deliver()
    await reverse()
    says.listed = [seen()]
    await pull()
    const [{ id } = { id: '' }] = await recorded()
    await screen(ledger, id, true)
    expect(await complete(ledger, id)).toBe('held')
    says.listed.push(seen({ confirmedAt: '2026-01-03T00:00:00.000Z' }))
    await pull()
    expect(await complete(ledger, id)).toBe('done')
  })

  test.each([
    ['a new epoch of the blockchain service lists it as confirmed', () => {}, '2026-01-02T00:00:00.000Z'],
    ['it was reversed by a clock that was ahead', pull, '2999-01-01T00:00:00.000Z'],
  ])('is on its chain when %s', async (_, begin, reversedAt) => {
    await begin()
    await deliver()
    await reverse({ reversedAt })
    says.listed = [seen()]
    await pull()
    const [{ id } = { id: '' }] = await recorded()
    expect(await credit(id)).toBe('done')
  })

  test.each(['after', 'before'])(
    'is a shortfall of its account %s its return was paid, until it is confirmed again',
    async (when) => {
      await deliver()
      const [{ id } = { id: '' }] = await recorded()
      await screen(ledger, id, false)
      await ledger.ask('POST', `/transactions/${id}/reject-frozen-deposit`)
      const { body: back } = await ledger.ask<{ id: string }>('POST', `/transactions/${id}/return`, {
        reason: 'Unclear',
      })
      await screen(ledger, back.id, true)
      if (when === 'before') {
        await reverse()
        expect(await withdraw()).toBeNull()
      }
      await complete(ledger, back.id)
      if (when === 'after') {
        expect(await withdraw()).toBeNull()
        await reverse()
      }
      expect(await withdraw()).toMatchObject({
        reason: expect.stringContaining(`off the chain again: transaction ${id}`),
      })
      const causes = [...(await knownCauses(ledger.store.read)).values()]
      expect(causes).toEqual([['1 returned deposit was taken off the chain, 1.5']])
      await auditAll(ledger.store)
      await deliver({ confirmedAt: '2026-01-03T00:00:00.000Z' })
      expect(await withdraw()).toBeNull()
    },
  )

  test.each([
    ['amount', () => ({ amount: '1500001' })],
    ['account', async () => ({ accountId: (await owner()).accountId })],
    ['coin', () => ({ contractAddress: outside })],
  ])('is missing once it is confirmed with another %s, though its reversal was lost', async (_, other) => {
    await deliver()
    const [{ id } = { id: '' }] = await recorded()
    await credit(id)
    await deliver({ ...(await other()), confirmedAt: '2026-01-03T00:00:00.000Z' })
    await retryUnmatched(ledger.deps, later())
    expect([await withdraw(), await unmatched()]).toMatchObject([{ assetId: bench.assetId }, [expect.any(String)]])
    await deliver({ confirmedAt: '2026-01-04T00:00:00.000Z' })
    expect([await withdraw(), await recorded()]).toMatchObject([null, [{ id, status: 'COMPLETED' }]])
  })

  test('is not missing while its coin cannot be told', async () => {
    await deliver()
    await credit((await recorded())[0]?.id ?? '')
    await deliver({ decimals: 8, confirmedAt: '2026-01-03T00:00:00.000Z' })
    expect([await withdraw(), await unmatched()]).toEqual([null, [expect.stringMatching(/8 on its chain$/)]])
  })

  test('rejected before stays rejected', async () => {
    await deliver()
    const [{ id } = { id: '' }] = await recorded()
    await screen(ledger, id, false)
    await ledger.ask('POST', `/transactions/${id}/reject-frozen-deposit`)
    await reverse()
    await deliver({ confirmedAt: '2026-01-03T00:00:00.000Z' })
    expect((await getTransaction(ledger, id)).status).toBe('REJECTED')
    expect(await withdraw()).toBeNull()
  })
})
