// Withdrawals that are carried out together share calls; each has its own outcome, as if it had been alone.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { WithdrawalState } from '@bursar/contracts/wallet'
import { until } from '@bursar/testing'
import { type RunningLedger, restart, runLedger } from './execution-harness'
import { hashOf } from './execution-wallet'
import { newAccount } from './owners'

let running: RunningLedger
beforeEach(async () => {
  running = await runLedger()
})
afterEach(() => running.close())

/** So many approved withdrawals that nobody has begun with. */
async function approved(count: number, amount = '1') {
  const account = await running.funded(`${count}`)
  await running.worker.stop()
  const ids = await Promise.all(Array.from({ length: count }, () => running.withdraw(account, amount)))
  await Promise.all(ids.map((id) => running.screen(id, true)))
  return { account, ids }
}
const batches = (what: 'batch' | 'records') =>
  running.wallet.server.requests.filter(({ path }) => path === `/internal/withdrawals/${what}`)

test('go in few calls, with one question for the state of their account and of its customer', async () => {
  const { account, ids } = await approved(60)
  const before = running.owners.server.requests.length
  const worker = restart(running)
  for (const id of ids) await running.reached(id, 'COMPLETED')
  await worker.stop()
  expect(batches('batch').length).toBeLessThanOrEqual(2)
  expect(running.owners.server.requests.length - before).toBeLessThanOrEqual(6)
  expect(running.wallet.broadcasts.toSorted()).toEqual(ids.toSorted())
  expect(await running.balance(account)).toEqual({ available: '0', frozen: '0' })
})

test('of many accounts: their states are asked for in few calls, and one that is not active waits alone', async () => {
  const accounts = await Promise.all(Array.from({ length: 20 }, () => running.funded('1')))
  await running.worker.stop()
  const ids = await Promise.all(accounts.map((account) => running.withdraw(account, '1')))
  await Promise.all(ids.map((id) => running.screen(id, true)))
  const [suspended, deleted] = accounts
  if (!suspended || !deleted) throw new Error('no accounts')
  const { putAccount } = running.owners
  putAccount(newAccount({ ...suspended, status: 'suspended' }))
  putAccount(newAccount({ ...deleted, status: 'deleted' }))
  const before = running.owners.server.requests.length
  const worker = restart(running)
  for (const id of ids.slice(2)) await running.reached(id, 'COMPLETED')
  await running.reached(ids[1] ?? '', 'FAILED')
  expect((await running.transaction(ids[0] ?? '')).status).toBe('APPROVED')
  const paths = running.owners.server.requests.slice(before).map(({ path }) => path)
  expect(paths.filter((path) => path === '/internal/accounts/states').length).toBeGreaterThan(0)
  expect(running.wallet.broadcasts.toSorted()).toEqual(ids.slice(2).toSorted())
  await worker.stop()
})

test('refused, failed, lost and nonsense for some: the others are completed, and each ends by its own record', async () => {
  const { account, ids } = await approved(30)
  const scripts = [
    ['confirmed'],
    ['failed'],
    ['refused', 'refused', 'confirmed'],
    ['lost', 'confirmed'],
    ['garbage', 'accepted', 'confirmed'],
    ['down', 'confirmed'],
  ] as const
  for (const [i, id] of ids.entries()) running.wallet.script(id, ...(scripts[i % scripts.length] ?? []))
  const worker = restart(running)
  for (const [i, id] of ids.entries()) await running.reached(id, i % scripts.length === 1 ? 'FAILED' : 'COMPLETED')
  await worker.stop()
  expect(batches('batch').length).toBeGreaterThan(0)
  // Each at most once, and none of those that failed.
  expect(running.wallet.broadcasts.toSorted()).toEqual(ids.filter((_, i) => i % scripts.length !== 1).toSorted())
  expect(await running.balance(account)).toEqual({ available: '5', frozen: '0' })
})

test('answers in the wrong places complete nothing; the right ones do', async () => {
  const { ids } = await approved(6)
  let isWrong = true
  let wrong = 0
  const { server } = running.wallet
  const right = (id: string): WithdrawalState => ({ id, status: 'confirmed', txHash: hashOf(id), reason: null })
  server.answer(async (request) => {
    const { pathname } = new URL(request.url)
    if (!/(batch|records)$/.test(pathname)) {
      // Those that come back at moments of their own come alone.
      const id = request.method === 'POST' ? ((await request.json()) as { id: string }).id : pathname.split('/').at(-1)
      return isWrong ? new Response('', { status: 503 }) : Response.json(right(id ?? ''))
    }
    const { items } = (await request.json()) as { items: (string | { id: string })[] }
    const answers = items.map((item) => right(typeof item === 'string' ? item : item.id))
    if (!isWrong || answers.length === 1) return Response.json({ items: answers })
    wrong += 1
    return Response.json({ items: [...answers.slice(1), ...answers.slice(0, 1)] })
  })
  const worker = restart(running)
  await until(() => wrong > 1)
  for (const id of ids) expect((await running.transaction(id)).status).toBe('APPROVED')
  isWrong = false
  for (const id of ids) expect((await running.reached(id, 'COMPLETED')).transactionData.txHash).toBe(hashOf(id))
  await worker.stop()
})

test('an answer that is lost once the batch is recorded: each is asked about again, and paid once', async () => {
  const { account, ids } = await approved(10)
  let lost = 0
  const { server } = running.wallet
  const usual = running.wallet.handle
  server.answer(async (request) => {
    const answer = await usual(request)
    if (!request.url.endsWith('/batch') || lost > 0) return answer
    lost += 1
    return new Response('', { status: 502 })
  })
  const worker = restart(running)
  for (const id of ids) await running.reached(id, 'COMPLETED')
  await worker.stop()
  expect(lost).toBe(1)
  expect(running.wallet.broadcasts.toSorted()).toEqual(ids.toSorted())
  expect(await running.balance(account)).toEqual({ available: '0', frozen: '0' })
})

test('no more of them are in hand than the bound says, and all are carried out', async () => {
  const { ids } = await approved(12)
  const worker = restart(running, { withdrawals: 5 })
  for (const id of ids) await running.reached(id, 'COMPLETED')
  await worker.stop()
  const sizes = batches('batch').map(({ body }) => (JSON.parse(body) as { items: object[] }).items.length)
  expect(Math.max(...sizes)).toBe(5)
})
