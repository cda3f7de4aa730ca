import { afterAll, beforeAll, expect, test } from 'bun:test'
import { decisions } from '../src/decisions/decisions.table'
import { type Ledger, openLedger } from './harness'
import { type Bench, depositOf, getTransaction, make, makeBench, screen, withdrawalOf } from './steps'

const nowhere = '00000000-0000-7000-8000-000000000000'
let ledger: Ledger
let bench: Bench
let anna: Record<string, string>
beforeAll(async () => {
  ledger = await openLedger()
  bench = await makeBench(ledger, '1000')
  anna = await ledger.as({ kind: 'user', subject: 'anna' })
})
afterAll(() => ledger.close())

async function frozen(kind: 'deposit' | 'withdrawal'): Promise<string> {
  const { id } = await make(ledger, kind, kind === 'deposit' ? depositOf(bench) : withdrawalOf(bench))
  await screen(ledger, id, false)
  return id
}
const decisionsOf = async (id: string) => (await ledger.ask('GET', `/transactions/${id}/decisions`)).body
const at = expect.stringMatching(/^20.*Z$/)
const byAnna = { kind: 'user', id: 'anna' }

test.each([
  ['approve-frozen-deposit', 'deposit', { note: ' papers seen ' }, 'APPROVED', 'papers seen'],
  ['approve-frozen-withdrawal', 'withdrawal', undefined, 'APPROVED', null],
  ['reject-frozen-deposit', 'deposit', { reason: 'stolen' }, 'REJECTED', 'stolen'],
  ['reject-frozen-withdrawal', 'withdrawal', {}, 'REJECTED', null],
] as const)('%s keeps who and why, in both forms', async (action, kind, body, decision, note) => {
  for (const path of ['/transactions', '/api/v1/core/transactions']) {
    const id = await frozen(kind)
    expect((await ledger.ask('POST', `${path}/${id}/${action}`, body, anna)).status).toBe(200)
    expect(await decisionsOf(id)).toEqual([{ decision, actor: byAnna, note, at }])
  }
})

test('an unauthenticated caller is null; a service is recorded as itself', async () => {
  const [one, other] = [await frozen('deposit'), await frozen('deposit')]
  await ledger.ask('POST', `/transactions/${one}/approve-frozen-deposit`)
  await ledger.ask('POST', `/transactions/${other}/approve-frozen-deposit`, {}, await ledger.asService('main-api'))
  expect((await decisionsOf(one))[0].actor).toBeNull()
  expect((await decisionsOf(other))[0].actor).toEqual({ kind: 'service', id: 'main-api' })
})

test('a refused request leaves no decision, nor does a repeat under its key', async () => {
  const id = await frozen('deposit')
  const key = { ...anna, 'idempotency-key': 'decision-1' }
  await ledger.ask('POST', `/transactions/${id}/approve-frozen-withdrawal`, {}, anna)
  expect(await decisionsOf(id)).toEqual([])
  for (let i = 0; i < 2; i++) await ledger.ask('POST', `/transactions/${id}/approve-frozen-deposit`, {}, key)
  expect((await ledger.ask('POST', `/transactions/${id}/reject-frozen-deposit`, {}, anna)).status).toBe(400)
  expect(await decisionsOf(id)).toHaveLength(1)
})

test('failing by hand records who and why; an automatic failure has no decision', async () => {
  const { id } = await make(ledger, 'deposit', depositOf(bench))
  await screen(ledger, id, true)
  const failed = await ledger.ask('POST', `/transactions/${id}/fail`, { reason: 'wrong account' }, anna)
  expect([failed.status, failed.body.failureReason]).toEqual([200, 'wrong account'])
  expect(await decisionsOf(id)).toEqual([{ decision: 'FAILED', actor: byAnna, note: 'wrong account', at }])
  expect((await ledger.ask('POST', `/transactions/${id}/fail`, { reason: 'again' }, anna)).status).toBe(400)
  expect(await decisionsOf(id)).toHaveLength(1)
})

test('404 and 400 of the history; an id in capitals is the same', async () => {
  expect((await ledger.ask('GET', `/transactions/${nowhere}/decisions`)).status).toBe(404)
  expect((await ledger.ask('GET', '/transactions/7/decisions')).status).toBe(400)
  const id = await frozen('deposit')
  await ledger.ask('POST', `/transactions/${id.toUpperCase()}/approve-frozen-deposit`, {}, anna)
  expect(await decisionsOf(id.toUpperCase())).toHaveLength(1)
  expect((await getTransaction(ledger, id)).status).toBe('APPROVED')
})

test('the database itself refuses to change or delete a decision', async () => {
  const id = await frozen('deposit')
  await ledger.ask('POST', `/transactions/${id}/approve-frozen-deposit`, {}, anna)
  const { store } = ledger
  await expect(store.commit((tx) => tx.update(decisions).set({ actorId: 'boris' }).execute())).rejects.toThrow()
  await expect(store.commit((tx) => tx.delete(decisions).execute())).rejects.toThrow()
  expect((await decisionsOf(id))[0].actor).toEqual(byAnna)
})
