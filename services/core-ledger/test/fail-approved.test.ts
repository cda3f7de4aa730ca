import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { workOf } from '../src/movements/read-work'
import { type RunningLedger, runLedger } from './execution-harness'

let running: RunningLedger
beforeAll(async () => {
  running = await runLedger()
})
afterAll(() => running.close())

const nobody = '01a1fe8f-0000-7000-8000-000000000000'
const reason = 'The customer asked for it'
const failIt = (id: string, body: object = { reason }, headers?: Record<string, string>) =>
  running.ledger.ask('POST', `/v1/transactions/${id}/fail`, body, headers)

/** An approved withdrawal of 40 out of 100 that no order has reached. */
async function stuck() {
  const account = await running.funded('100')
  const id = await running.withdraw(account, '40')
  running.wallet.script(id, 'down')
  await running.screen(id, true)
  await until(() => running.wallet.requestsFor(id) > 1)
  return { account, id }
}

describe('POST /transactions/:id/fail', () => {
  test('200: FAILED with the reason, the hold released, and never to be paid', async () => {
    const { account, id } = await stuck()
    const { status, body } = await failIt(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, status: 'FAILED', failureReason: reason })
    expect(await running.balance(account)).toEqual({ available: '100', frozen: '0' })
    expect(running.wallet.records.get(id)).toMatchObject({ status: 'failed', reason })
    expect(running.wallet.broadcasts).not.toContain(id)
  })

  test('the wallet service never pays a later order', async () => {
    const { id } = await stuck()
    await failIt(id)
    running.wallet.script(id, 'confirmed')
    const order = running.wallet.started.find((one) => one.id === id)
    const late = await fetch(`${running.wallet.server.url}/internal/withdrawals`, {
      method: 'POST',
      body: JSON.stringify(order),
    })
    expect(await late.json()).toMatchObject({ status: 'failed' })
    expect(running.wallet.broadcasts).not.toContain(id)
  })

  test('409 when the wallet service has it, and it is executed', async () => {
    const { account, id } = await stuck()
    running.wallet.script(id, 'accepted', 'accepted')
    await until(() => running.wallet.records.has(id))
    const { status, body } = await failIt(id)
    expect([status, body.message]).toEqual([
      409,
      `Transaction ${id} cannot be failed: the wallet service has it as accepted`,
    ])
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '40' })
    running.wallet.script(id, 'confirmed')
    await running.reached(id, 'COMPLETED')
  })

  test('409 when the wallet service’s answer is of another withdrawal, and the amount stays held', async () => {
    const { account, id } = await stuck()
    running.wallet.intercept(id, () => Response.json({ id: nobody, status: 'failed', txHash: null, reason }))
    expect((await failIt(id)).status).toBe(409)
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '40' })
  })

  test('409 with what the wallet service says when it may have been paid; that it was accepted is said to it', async () => {
    const { account, id } = await stuck()
    running.wallet.script(id, 'accepted')
    await until(() => running.wallet.records.has(id))
    await until(async () => (await workOf(running.ledger.store.read, id))?.acceptedAt != null)
    const asked: unknown[] = []
    running.wallet.server.answer(async (request) => {
      if (!request.url.endsWith('/refuse')) return await running.wallet.handle(request)
      asked.push(await request.json())
      return Response.json({ error: { code: 'CONFLICT', message: 'Look at wallet:held' } }, { status: 409 })
    })
    const { status, body } = await failIt(id)
    running.wallet.server.answer(running.wallet.handle)
    expect([status, body.message]).toEqual([409, `Transaction ${id} cannot be failed: Look at wallet:held`])
    expect(asked).toEqual([{ reason, wasAccepted: true }])
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '40' })
  })

  test('503 while the wallet service is unavailable, and nothing is changed', async () => {
    const away = await runLedger()
    const account = await away.funded('100')
    const id = await away.withdraw(account, '40')
    await away.wallet.server.stop()
    await away.screen(id, true)
    const { status, body } = await away.ledger.ask('POST', `/transactions/${id}/fail`, { reason })
    expect([status, body.message]).toEqual([
      503,
      'The wallet service cannot be asked right now; the transaction stays as it is',
    ])
    expect((await away.transaction(id)).status).toBe('APPROVED')
    expect(await away.balance(account)).toEqual({ available: '60', frozen: '40' })
    await away.close()
  })

  test('a transfer that waits is failed without the wallet service', async () => {
    const [from, to] = [await running.funded('10'), await running.ledger.account()]
    const id = await running.transfer(from, to, '4')
    running.owners.forget(to.id)
    await running.screen(id, true)
    expect((await failIt(id)).body).toMatchObject({ status: 'FAILED', failureReason: reason })
    expect(await running.balance(from)).toEqual({ available: '10', frozen: '0' })
  })

  test('400 unless it is APPROVED; 404 when there is none', async () => {
    const account = await running.funded('100')
    const id = await running.withdraw(account, '1')
    const { status, body } = await failIt(id)
    expect([status, body.message]).toEqual([400, `Transaction ${id} is PENDING; only an APPROVED one can be failed`])
    const { id: done } = await stuck()
    await failIt(done)
    expect((await failIt(done)).body.message).toBe(`Transaction ${done} is FAILED; only an APPROVED one can be failed`)
    const missing = await failIt(nobody)
    expect([missing.status, missing.body.message]).toEqual([404, `Transaction ${nobody} not found`])
    expect((await failIt('x')).status).toBe(400)
  })

  test.each([
    [{}, 'reason should not be empty'],
    [{ reason: '' }, 'reason should not be empty'],
    [{ reason: ' ' }, 'reason should not be blank'],
    [{ reason: 1 }, 'reason must be a string'],
  ])('400 for %j', async (body, message) => {
    const refused = await failIt(nobody, body)
    expect([refused.status, refused.body.message]).toEqual([400, [message]])
  })

  test('under one key it is done once and answered twice', async () => {
    const { id } = await stuck()
    const key = { 'idempotency-key': `fail-${id}` }
    const first = await failIt(id, { reason }, key)
    const again = await failIt(id, { reason }, key)
    expect([again.status, again.body]).toEqual([200, first.body])
  })
})
