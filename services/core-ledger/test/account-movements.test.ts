import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { AccountMovement } from '../src/portfolios/movements.model'
import { contract, type MovementBench, openMovementBench } from './movement-bench'
import { outside, pay } from './steps'

let it: MovementBench
let { ledger, bench, moved, deliver } = {} as MovementBench
beforeEach(async () => {
  it = await openMovementBench()
  ;({ ledger, bench, moved, deliver } = it)
})
afterEach(() => it.close())

const list = async (query = '', accountId = bench.accountId) => {
  const { status, body } = await ledger.ask<AccountMovement[]>(
    'GET',
    `/balances/account/${accountId}/movements${query}`,
  )
  expect(status).toBe(200)
  return body
}
const at = (minute: number) => ({ confirmedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString() })

describe('GET /balances/account/:accountId/movements', () => {
  test('what was booked explains the balance; what waits says why', async () => {
    const orderId = Bun.randomUUIDv7()
    const out = moved('out', '130000000', { orderId, ...at(1) })
    const unknown = `0x${'cd'.repeat(20)}`
    await deliver(out)
    await deliver(moved('in', '5000000', at(2)))
    await deliver(moved('in', '7', { contractAddress: unknown, ...at(3) }))
    const found = await list()
    expect(found[0]).toEqual({
      id: `ethereum ${out.txHash} out:1`,
      kind: 'out',
      network: 'ethereum',
      txHash: out.txHash,
      address: outside,
      counterparty: outside,
      contractAddress: contract,
      assetId: bench.assetId,
      assetCode: expect.stringMatching(/^USD/),
      amount: '100',
      executionId: orderId,
      confirmedAt: at(1).confirmedAt,
      bookedAt: '2026-03-01T12:00:00.000Z',
      waitsFor: null,
    })
    expect(found.map(({ kind, amount, bookedAt, waitsFor }) => [kind, amount, bookedAt !== null, waitsFor])).toEqual([
      ['out', '100', true, null],
      ['out', '5', true, null],
      ['out', '25', false, 'Less is on the chain than the ledger holds'],
      ['in', '5', true, null],
      ['in', '0.000007', false, 'No asset has this network and contract'],
    ])
    await pay(ledger, bench, '1')
  })

  test('in pages from either end, though several are of one moment and more come meanwhile', async () => {
    for (const minute of [3, 1, 2, 2, 2, 4]) await deliver(moved('in', `${minute}`, at(minute)))
    for (const order of ['asc', 'desc']) {
      const whole = (await list(`?order=${order}`)).map(({ id }) => id)
      expect(whole).toHaveLength(order === 'asc' ? 6 : 7)
      const paged: string[] = []
      for (;;) {
        const after = paged.length > 0 ? `&after=${encodeURIComponent(paged.at(-1) ?? '')}` : ''
        const page = await list(`?order=${order}&limit=2${after}`)
        if (page.length === 0) break
        paged.push(...page.map(({ id }) => id))
        if (order === 'asc' && paged.length === 2) await deliver(moved('in', '9', at(0)))
      }
      expect(paged).toEqual(whole)
    }
    const times = (await list()).map(({ confirmedAt }) => confirmedAt)
    expect(times).toEqual(times.toSorted())
    expect((await list('?order=desc')).map(({ confirmedAt }) => confirmedAt)).toEqual(times.toReversed())
  })

  test('of this account alone; another type has none, whatever its address paid', async () => {
    const other = await ledger.account({ type: 'PORTFOLIO' })
    const plain = await ledger.account()
    await deliver(moved('in', '5', { accountId: other.id }))
    await deliver(moved('fee', '5', { accountId: plain.id }))
    expect(await list()).toEqual([])
    expect(await list('', other.id.toUpperCase())).toHaveLength(1)
    expect(await list('', plain.id)).toEqual([])
  })

  test('404 for an unknown account; 400 for a limit or a place that is none', async () => {
    const [movement] = await list()
    expect(movement).toBeUndefined()
    const other = await ledger.account({ type: 'PORTFOLIO' })
    await deliver(moved('in', '5', { accountId: other.id }))
    const [theirs] = await list('', other.id)
    const path = `/balances/account/${bench.accountId}/movements`
    for (const query of [
      'limit=0',
      'limit=501',
      'order=up',
      'after=x',
      `after=${encodeURIComponent(theirs?.id ?? '')}`,
    ]) {
      expect((await ledger.ask('GET', `${path}?${query}`)).status).toBe(400)
    }
    expect((await ledger.ask('GET', `/balances/account/${Bun.randomUUIDv7()}/movements`)).status).toBe(404)
  })
})
