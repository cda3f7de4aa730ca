import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type LocalServer, localServer } from '@bursar/testing'
import { upsertAccount } from '../src/accounts/accounts'
import { auditAll } from '../src/audit/audit'
import type { GatewayTransaction } from '../src/reporting/gateway.model'
import { sealJournal } from '../src/seals/seal-journal'
import { phase } from './execution-harness'
import { type Ledger, openLedger } from './harness'
import { newAccount } from './owners'
import {
  type Bench,
  balanceOf,
  decisionsOf,
  depositOf,
  failIt,
  make,
  makeBench,
  rejectedDeposit,
  screen,
  withdrawalOf,
} from './steps'

let quote: LocalServer
let ledger: Ledger
beforeAll(async () => {
  quote = localServer(({ url }) =>
    new URL(url).pathname.startsWith('/internal/rates/highest/')
      ? Response.json({ message: 'No rate' }, { status: 404 })
      : Response.json({ rate: 1, currency: 'USD', isStatic: false }, { status: 201 }),
  )
  ledger = await openLedger({ env: { FOUR_EYES_USD: '1000' }, urls: { quote: quote.url } })
})
afterAll(async () => {
  await sealJournal(ledger.deps)
  await auditAll(ledger.store)
  await ledger.close()
  await quote.stop()
})

const reason = 'The source is explained'
const release = async (id: string, person: string | null = 'ann', body: object = { reason }, headers = {}) =>
  ledger.ask('POST', `/transactions/${id}/release`, body, {
    ...(person === null ? {} : await ledger.as({ kind: 'user', subject: person })),
    ...headers,
  })
/** A deposit that a reviewer has rejected. */
async function rejected(amount = '25', bench?: Bench): Promise<{ id: string; bench: Bench }> {
  const of = bench ?? (await makeBench(ledger, '0'))
  return { id: await rejectedDeposit(ledger, of, amount), bench: of }
}

describe('POST /transactions/:id/release', () => {
  test('a rejected deposit is credited after all, once, with its decision and its event', async () => {
    const { id, bench } = await rejected()
    expect(await balanceOf(ledger, bench)).toEqual([])
    const { status, body } = await release(id)
    expect([status, body]).toMatchObject([200, { id, status: 'COMPLETED', rejectionReason: 'Unclear' }])
    expect(await balanceOf(ledger, bench)).toEqual(['25', '0', '25'])
    expect((await decisionsOf(ledger, id)).at(-1)).toEqual(['RELEASED', 'ann', reason])
    const moved = (await ledger.events()).filter(({ data }) => (data as { id: string }).id === id).at(-1)
    expect(moved?.data).toMatchObject({ from: 'REJECTED', status: 'COMPLETED', reason })
    const shown = await ledger.ask<GatewayTransaction>('GET', `/api/v1/core/transactions/${id}`)
    expect(shown.body.executedAt).toMatch(/Z$/)
    expect(phase(shown.body, 'execution')).toMatchObject({ status: 'COMPLETED', detail: reason })
    expect((await release(id)).status).toBe(400)
    expect(await balanceOf(ledger, bench)).toEqual(['25', '0', '25'])
  })

  test('so is one that an operator has failed', async () => {
    const bench = await makeBench(ledger, '0')
    const { id } = await make(ledger, 'deposit', depositOf(bench, '25'))
    await screen(ledger, id, true)
    await failIt(ledger, id, 'By mistake')
    expect((await release(id)).body).toMatchObject({ status: 'COMPLETED' })
    expect(await balanceOf(ledger, bench)).toEqual(['25', '0', '25'])
    const shown = await ledger.ask<GatewayTransaction>('GET', `/api/v1/core/transactions/${id}`)
    expect(phase(shown.body, 'execution')).toMatchObject({ status: 'COMPLETED', detail: reason })
  })

  test('concurrent requests credit it once', async () => {
    const { id, bench } = await rejected()
    const answers = await Promise.all(Array.from({ length: 5 }, () => release(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
    expect(await balanceOf(ledger, bench)).toEqual(['25', '0', '25'])
  })

  test('under one key it is done once and answered twice', async () => {
    const { id } = await rejected()
    const key = { 'idempotency-key': `release-${id}` }
    const first = await release(id, 'ann', { reason }, key)
    const again = await release(id, 'ann', { reason }, key)
    expect([again.status, again.body]).toEqual([200, first.body])
  })

  test('a large one needs two persons, neither of whom has entered it', async () => {
    const bench = await makeBench(ledger, '0')
    const entered = await ledger.ask<{ id: string }>(
      'POST',
      '/transactions/deposit',
      depositOf(bench, '1000'),
      await ledger.as({ kind: 'user', subject: 'eve' }),
    )
    const { id } = entered.body
    await screen(ledger, id, false)
    await ledger.ask('POST', `/transactions/${id}/reject-frozen-deposit`, {}, await ledger.as({ subject: 'bob' }))
    expect((await release(id, null)).status).toBe(403)
    expect((await release(id, 'eve')).status).toBe(409)
    const first = await release(id, 'ann')
    expect([first.status, first.body]).toMatchObject([202, { proposed: true, approvals: 1, required: 2 }])
    expect(await balanceOf(ledger, bench)).toEqual([])
    expect((await release(id, 'ann')).status).toBe(409)
    expect((await release(id, 'bob')).body).toMatchObject({ status: 'COMPLETED' })
    expect(await balanceOf(ledger, bench)).toEqual(['1000', '0', '1000'])
    expect((await decisionsOf(ledger, id)).map(([decision, who]) => [decision, who])).toEqual([
      ['ENTERED', 'eve'],
      ['REJECTED', 'bob'],
      ['RELEASE_PROPOSED', 'ann'],
      ['RELEASED', 'bob'],
    ])
  })

  test('a proposal to approve is not one to release', async () => {
    const bench = await makeBench(ledger, '0')
    const { id } = await make(ledger, 'deposit', depositOf(bench, '1000'))
    await screen(ledger, id, false)
    const as = await ledger.as({ kind: 'user', subject: 'ann' })
    expect((await ledger.ask('POST', `/transactions/${id}/approve-frozen-deposit`, {}, as)).status).toBe(202)
    await ledger.ask('POST', `/transactions/${id}/reject-frozen-deposit`, {}, as)
    expect((await release(id, 'bob')).status).toBe(202)
    expect(await balanceOf(ledger, bench)).toEqual([])
  })

  test('400 while its account is not active', async () => {
    const { id, bench } = await rejected()
    const account = newAccount({ id: bench.accountId, customerId: bench.customerId, status: 'suspended' })
    await ledger.store.commit((tx) => upsertAccount(tx, { account, participantId: null, epoch: 1, version: 9 }))
    const { status, body } = await release(id)
    expect([status, body.message]).toEqual([
      400,
      `Account ${bench.accountId} is suspended; only active accounts can be used`,
    ])
    expect(await balanceOf(ledger, bench)).toEqual([])
  })

  test('400 for another status or type, and without a reason; 404 when there is none', async () => {
    const bench = await makeBench(ledger, '10')
    const { id } = await make(ledger, 'deposit', depositOf(bench, '5'))
    const pending = await release(id)
    expect([pending.status, pending.body.message]).toEqual([
      400,
      `Transaction ${id} is PENDING; only a REJECTED or FAILED one can be released`,
    ])
    const withdrawal = await make(ledger, 'withdrawal', withdrawalOf(bench, '5'))
    expect((await release(withdrawal.id)).body.message).toBe(
      `Transaction ${withdrawal.id} is a withdrawal, not a deposit`,
    )
    for (const body of [{}, { reason: '' }, { reason: ' ' }]) expect((await release(id, 'ann', body)).status).toBe(400)
    expect((await release(Bun.randomUUIDv7())).status).toBe(404)
  })
})
