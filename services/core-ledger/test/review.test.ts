import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Ledger, openLedger } from './harness'
import {
  type Bench,
  balanceOf,
  complete,
  depositOf,
  getTransaction,
  make,
  makeBench,
  screen,
  trackerLines,
  withdrawalOf,
} from './steps'

let ledger: Ledger
let bench: Bench
beforeAll(async () => {
  ledger = await openLedger()
  bench = await makeBench(ledger, '1000')
})
afterAll(() => ledger.close())

const nowhere = '00000000-0000-7000-8000-000000000000'

async function frozen(kind: 'deposit' | 'withdrawal', of = bench): Promise<string> {
  const { id } = await make(ledger, kind, kind === 'deposit' ? depositOf(of) : withdrawalOf(of))
  await screen(ledger, id, false)
  return id
}
const review = (action: string, id: string, body?: object, headers?: Record<string, string>) =>
  ledger.ask('POST', `/transactions/${id}/${action}`, body, headers)

describe.each(['deposit', 'withdrawal'] as const)('of a frozen %s', (kind) => {
  const other = kind === 'deposit' ? 'withdrawal' : 'deposit'

  test('approve: 200 {enqueued: true}, APPROVED', async () => {
    const id = await frozen(kind)
    const { status, body } = await review(`approve-frozen-${kind}`, id)
    expect([status, body]).toEqual([200, { enqueued: true }])
    expect((await getTransaction(ledger, id)).status).toBe('APPROVED')
  })

  test('reject: 200 {id, status, rejectionReason}, REJECTED', async () => {
    const id = await frozen(kind)
    const { status, body } = await review(`reject-frozen-${kind}`, id, { reason: 'sanctioned' })
    expect([status, body]).toEqual([200, { id, status: 'REJECTED', rejectionReason: 'sanctioned' }])
    expect(await getTransaction(ledger, id)).toMatchObject({ status: 'REJECTED', rejectionReason: 'sanctioned' })
  })

  test.each([undefined, {}, { reason: '' }, { reason: null }])(
    'reject with %p has a reason of its own',
    async (body) => {
      const id = await frozen(kind)
      expect((await review(`reject-frozen-${kind}`, id, body)).body.rejectionReason).toBe('Rejected by manual review')
    },
  )

  test.each(['approve', 'reject'])('%s: 400 unless it is FROZEN', async (action) => {
    const { id } = await make(ledger, kind, kind === 'deposit' ? depositOf(bench) : withdrawalOf(bench))
    const { status, body } = await review(`${action}-frozen-${kind}`, id)
    expect([status, body.message]).toEqual([400, `Transaction ${id} is PENDING; only a FROZEN one can be reviewed`])
    const done = await frozen(kind)
    await review(`reject-frozen-${kind}`, done)
    expect((await review(`${action}-frozen-${kind}`, done)).status).toBe(400)
  })

  test.each(['approve', 'reject'])('%s: 400 for one of the other type', async (action) => {
    const id = await frozen(other)
    const { status, body } = await review(`${action}-frozen-${kind}`, id)
    expect([status, body.message]).toEqual([400, `Transaction ${id} is a ${other}, not a ${kind}`])
  })

  test.each(['approve', 'reject'])('%s: 404 names the transaction; 400 for an id that is no UUID', async (action) => {
    const { status, body } = await review(`${action}-frozen-${kind}`, nowhere)
    expect([status, body.message]).toEqual([404, `Transaction ${nowhere} not found`])
    expect((await review(`${action}-frozen-${kind}`, 'x')).status).toBe(400)
  })

  test('reject: 400 for a reason that is not a text', async () => {
    const { body } = await review(`reject-frozen-${kind}`, await frozen(kind), { reason: 5 })
    expect(body.message).toEqual(['reason must be a string or null'])
  })

  test('under one key it is done once and answered twice', async () => {
    const id = await frozen(kind)
    const headers = { 'idempotency-key': `k-${id}` }
    await review(`approve-frozen-${kind}`, id, undefined, headers)
    const again = await review(`approve-frozen-${kind}`, id, undefined, headers)
    expect([again.status, again.body]).toEqual([200, { enqueued: true }])
  })

  test('of a concurrent rejection and approval one wins', async () => {
    const id = await frozen(kind)
    const all = await Promise.all([review(`approve-frozen-${kind}`, id), review(`reject-frozen-${kind}`, id)])
    const [approved, rejected] = all.map(({ status }) => status)
    expect([approved, rejected].toSorted()).toEqual([200, 400])
    expect((await getTransaction(ledger, id)).status).toBe(approved === 200 ? 'APPROVED' : 'REJECTED')
  })
})

describe('the money', () => {
  test('of a rejected withdrawal is available again', async () => {
    const own = await makeBench(ledger, '3')
    const id = await frozen('withdrawal', own)
    expect(await balanceOf(ledger, own)).toEqual(['2', '1', '3'])
    await review('reject-frozen-withdrawal', id)
    expect(await balanceOf(ledger, own)).toEqual(['3', '0', '3'])
  })

  test('of an approved withdrawal is held until it was paid', async () => {
    const own = await makeBench(ledger, '3')
    const id = await frozen('withdrawal', own)
    await review('approve-frozen-withdrawal', id)
    expect(await balanceOf(ledger, own)).toEqual(['2', '1', '3'])
    await complete(ledger, id)
    expect(await balanceOf(ledger, own)).toEqual(['2', '0', '2'])
  })

  test('of a rejected deposit stays in suspense', async () => {
    const own = await makeBench(ledger, '3')
    const id = await frozen('deposit', own)
    await review('reject-frozen-deposit', id)
    expect(await balanceOf(ledger, own)).toEqual(['3', '0', '3'])
  })

  test('a rejection has a line in the tracker, as a cancellation', async () => {
    const id = await frozen('withdrawal')
    await review('reject-frozen-withdrawal', id, { reason: 'no' })
    const lines = await trackerLines(ledger)
    expect(lines.filter(({ event_type }) => event_type === 'TRANSACTION_CANCELLED').at(-1)).toMatchObject({
      status: 'FAILURE',
      metadata: { transaction_id: id, action: 'review_rejected', detail: 'no' },
    })
  })
})
