import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Worker } from '@bursar/store'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { findStanding } from '../src/accounts/accounts'
import { balances } from '../src/ledger/balances.table'
import { unsealed } from '../src/seals/read-journal'
import { failTransaction } from './ends'
import { type FakeWallet, fakeWallet, hashOf } from './execution-wallet'
import { type Ledger, openLedger } from './harness'
import { newAccount, type Owners, testOwners } from './owners'
import { depositOf, getTransaction, make, makeAsset, makeBench, outside, screen, type Tx, withdrawalOf } from './steps'

// The service with all its workers, as it runs.
let owners: Owners
let wallet: FakeWallet
let chain: LocalServer
let ledger: Ledger
let workers: readonly Worker[] = []
/** What the blockchain service lists as confirmed deposits. */
let listed: object[]
beforeEach(async () => {
  listed = []
  owners = testOwners()
  wallet = fakeWallet()
  chain = localServer(() => {
    return Response.json({ epoch: 1, items: listed.map((record, i) => ({ version: i + 1, record })), more: false })
  })
  const urls = { wallet: wallet.server.url, blockchain: chain.url }
  ledger = await openLedger({ owners, urls, tuning: { auditMs: 10 } })
})
afterEach(async () => {
  await stop()
  await ledger.close()
  await Promise.all([owners.stop(), wallet.server.stop(), chain.stop()])
})
const start = () => {
  workers = ledger.startWorkers()
}
const stop = () => Promise.all(workers.map((worker) => worker.stop()))
const sick = () =>
  until(async () => {
    const { status, body } = await ledger.ask('GET', '/health')
    return status === 503 && String(body.error)
  })

test('executes approved transactions, and seals them', async () => {
  start()
  const bench = await makeBench(ledger, '0')
  const { id } = await make(ledger, 'deposit', depositOf(bench))
  await screen(ledger, id, true)
  await until(async () => (await getTransaction(ledger, id)).status === 'COMPLETED')
  await until(async () => (await unsealed(ledger.store.read)) === 0)
})

test('a stop ends all its workers: nothing more is executed', async () => {
  start()
  const bench = await makeBench(ledger, '0')
  const { id } = await make(ledger, 'deposit', depositOf(bench))
  await stop()
  await screen(ledger, id, true)
  ledger.deps.execution.wake()
  await ledger.events()
  expect((await getTransaction(ledger, id)).status).toBe('APPROVED')
})

test('fetches accounts whose event was lost', async () => {
  const { account } = owners.putAccount(newAccount())
  start()
  expect(await until(() => findStanding(ledger.store.read, account.id))).toMatchObject({ status: 'active' })
})

test('fetches deposits whose event was lost', async () => {
  await makeAsset(ledger, { address: 'native' })
  const { id: accountId } = await ledger.account()
  const parties = { accountId, address: outside, sourceAddress: outside, contractAddress: null }
  const place = { id: Bun.randomUUIDv7(), network: 'ethereum', txHash: '0xabc', logIndex: 0 }
  listed = [
    { ...place, ...parties, amount: '5', decimals: 6, confirmedAt: '2026-01-01T00:00:00.000Z', reversedAt: null },
  ]
  start()
  const deposits = await until(async () => {
    const { body } = await ledger.ask<Tx[]>('GET', '/transactions')
    return body.length > 0 && body
  })
  expect(deposits).toMatchObject([{ accountId, amount: '0.000005', txHash: '0xabc' }])
})

test('a difference that the audit finds makes it unhealthy', async () => {
  start()
  expect((await ledger.ask('GET', '/health')).status).toBe(200)
  await makeBench(ledger, '5')
  await ledger.store.commit(async (tx) => void (await tx.update(balances).set({ available: 1n })))
  expect(await sick()).toMatch(/^audit: /)
})

test('a failed withdrawal that was paid waits for a person: the service is degraded, and works', async () => {
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(await makeBench(ledger)))
  await screen(ledger, id, true)
  await ledger.store.commit((tx) => failTransaction(tx, id, 'long ago', new Date(0)))
  wallet.records.set(id, { id, status: 'confirmed', txHash: hashOf(id), reason: null })
  start()
  const health = await until(async () => {
    const { status, body } = await ledger.ask<{ status: string; waiting?: string[] }>('GET', '/health')
    return body.status === 'degraded' && { status, waiting: body.waiting }
  })
  expect(health).toEqual({ status: 200, waiting: ['A withdrawal that failed was paid: see GET /transactions/stuck'] })
})
