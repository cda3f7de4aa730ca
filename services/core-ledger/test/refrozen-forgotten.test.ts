// A withdrawal was ordered and then frozen again. The wallet service, restored from an older backup, knows nothing of it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Authorisation } from '@bursar/contracts/core-ledger'
import { until } from '@bursar/testing'
import { workOf } from '../src/movements/read-work'
import { noteListed } from '../src/withdrawals/rescreening'
import { type Account, type RunningLedger, runLedger } from './execution-harness'

let running: RunningLedger
beforeAll(async () => {
  running = await runLedger()
})
afterAll(() => running.close())

async function authorise(id: string): Promise<Authorisation | null> {
  const { ledger } = running
  const headers = await ledger.asService('wallet')
  const asked = { items: [id] }
  const { body } = await ledger.ask<{ items: (Authorisation | null)[] }>(
    'POST',
    '/internal/authorisations',
    asked,
    headers,
  )
  return body.items[0] ?? null
}
const review = (act: 'approve' | 'reject', id: string) =>
  running.ledger.ask('POST', `/transactions/${id}/${act}-frozen-withdrawal`, { reason: 'Sanctioned' })
const ordersOf = (id: string) => running.wallet.started.filter((one) => one.id === id)

/** Ordered, frozen again when its signature was asked for, and forgotten by the wallet service since. */
async function forgotten(): Promise<{ account: Account; id: string }> {
  const { wallet, ledger } = running
  const account = await running.funded('100')
  const destinationAddress = `listed-${crypto.randomUUID()}`
  const id = await running.withdraw(account, '40', { destinationAddress })
  wallet.script(id, 'accepted')
  await running.screen(id, true)
  await until(() => wallet.records.has(id))
  const listed = { address: destinationAddress, source: null, at: new Date().toISOString() }
  await ledger.store.commit((tx) => noteListed(tx, listed as never))
  expect(await authorise(id)).toMatchObject({ terms: null, reason: expect.stringContaining('sanctioned') })
  expect((await running.transaction(id)).status).toBe('FROZEN')
  // No attempt of before asks about it any more.
  await until(() => running.worker.idle?.() ?? true)
  wallet.records.delete(id)
  return { account, id }
}

test('approved after all, it is ordered as one that was accepted before: it may have been paid', async () => {
  const { id } = await forgotten()
  const before = ordersOf(id).length
  expect((await review('approve', id)).status).toBe(200)
  await until(() => ordersOf(id).length > before)
  expect(ordersOf(id).at(-1)).toMatchObject({ wasAccepted: true, amount: '40' })
  expect((await workOf(running.ledger.store.read, id))?.acceptedAt).not.toBeNull()
})

test('rejected, it is asked whether it may have been paid: then it stays, and waits for an operator there', async () => {
  const { account, id } = await forgotten()
  const refusals: unknown[] = []
  running.wallet.server.answer(async (request) => {
    if (!request.url.endsWith('/refuse')) return await running.wallet.handle(request)
    refusals.push(await request.json())
    return Response.json({ error: { code: 'CONFLICT', message: 'Look at wallet:held' } }, { status: 409 })
  })
  const before = ordersOf(id).length
  const { status, body } = await review('reject', id)
  running.wallet.server.answer(running.wallet.handle)
  expect(refusals).toEqual([{ reason: 'Sanctioned', wasAccepted: true }])
  expect([status, body.message]).toEqual([409, `Transaction ${id} cannot be rejected: Look at wallet:held`])
  expect(ordersOf(id).slice(before)).toMatchObject([{ id, wasAccepted: true, amount: '40' }])
  expect((await running.transaction(id)).status).toBe('FROZEN')
  expect(await running.balance(account)).toEqual({ available: '60', frozen: '40' })
})
