// What a withdrawal is while the sanctions service is asked about its destination.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Authorisation } from '@bursar/contracts/core-ledger'
import { ListActivated } from '@bursar/contracts/sanctions'
import type { Worker } from '@bursar/store'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { freezeAgain } from '../src/withdrawals/rescreening'
import { type FakeWallet, fakeWallet } from './execution-wallet'
import { type Ledger, openLedger } from './harness'
import { type Owners, testOwners } from './owners'
import { make, makeBench, screen, withdrawalOf } from './steps'

let owners: Owners
let wallet: FakeWallet
let sanctions: LocalServer
let ledger: Ledger
let worker: Worker
let meanwhile: (() => Promise<unknown>) | null = null

beforeAll(async () => {
  owners = testOwners()
  wallet = fakeWallet()
  sanctions = localServer(async (request) => {
    const { items } = (await request.json()) as { items: { address: string }[] }
    await meanwhile?.()
    return Response.json({ items: items.map((item) => ({ ...item, listId: 1, isListed: false, source: null })) })
  })
  const urls = { wallet: wallet.server.url, sanctions: sanctions.url }
  ledger = await openLedger({ owners, urls, tuning: { retry: { firstMs: 2, longestMs: 20 } } })
  worker = ledger.deps.execution.start()
})
afterAll(async () => {
  await wallet.server.stop()
  await worker.stop()
  await ledger.close()
  await Promise.all([sanctions.stop(), owners.stop()])
})

test('a withdrawal that is frozen while its destination is screened by a new list is not authorised', async () => {
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(await makeBench(ledger), '40'))
  wallet.script(id, 'accepted')
  await screen(ledger, id, true)
  await until(() => wallet.records.has(id))
  const at = new Date()
  await until(() => Date.now() > at.getTime())
  const publishedAt = '2026-01-01T00:00:00.000Z'
  const data = { v: 1, listId: 1, name: 'OFAC SDN', publishedAt, at: new Date().toISOString() }
  const { name, type } = ListActivated
  const timestamp = at.toISOString()
  await ledger.consume({ id: Bun.randomUUIDv7(), name, type, timestamp, requestId: null, service: 'sanctions', data })
  let isFrozen = false
  meanwhile = async () => {
    const refusal = { reason: 'It is listed by now', listedAt: new Date() }
    isFrozen = await ledger.store.commit((tx) => freezeAgain(tx, id, refusal, new Date()))
  }
  const headers = await ledger.asService('wallet')
  const { body } = await ledger.ask('POST', '/internal/authorisations', { items: [id] }, headers)
  const [answer] = body.items as Authorisation[]
  expect(isFrozen).toBe(true)
  expect(answer).toEqual({ id, terms: null, reason: 'The withdrawal is FROZEN; only an APPROVED one is signed' })
})
