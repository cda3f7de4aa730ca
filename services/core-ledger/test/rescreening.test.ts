import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Authorisation } from '@bursar/contracts/core-ledger'
import { AddressListed, ListActivated } from '@bursar/contracts/sanctions'
import type { Worker } from '@bursar/store'
import { type LocalServer, localServer, until } from '@bursar/testing'
import type { GatewayTransaction } from '../src/reporting/gateway.model'
import { gatewayPath, phase } from './execution-harness'
import { type FakeWallet, fakeWallet } from './execution-wallet'
import { type Ledger, openLedger } from './harness'
import { type Owners, testOwners } from './owners'
import { type Bench, balanceOf, decisionsOf, depositOf, make, makeBench, screen, type Tx, withdrawalOf } from './steps'

let owners: Owners
let wallet: FakeWallet
let sanctions: LocalServer
let ledger: Ledger
let worker: Worker
let bench: Bench
/** What the list in use says. */
let listId = 0
const listed = new Set<string>()
let isAway = false

beforeAll(async () => {
  owners = testOwners()
  wallet = fakeWallet()
  sanctions = localServer(async (request) => {
    if (isAway) return Response.json({ error: { code: 'DOWN', message: 'Not now' } }, { status: 503 })
    const { items } = (await request.json()) as { items: { address: string; blockchain: string }[] }
    const answers = items.map(({ address }) => {
      const isListed = listed.has(address)
      return { address, listId, isListed, source: isListed ? { provider: 'OFAC SDN', match: true, details: {} } : null }
    })
    return Response.json({ items: answers })
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
beforeEach(async () => {
  isAway = false
  bench = await makeBench(ledger, '0')
  const deposit = await make(ledger, 'deposit', depositOf(bench, '100', { sourceAddress: newAddress() }))
  await screen(ledger, deposit.id, true)
  await until(async () => (await get(deposit.id)).status === 'COMPLETED')
})

/** Does it at a moment of its own: whatever was done before has an earlier time, and whatever follows a later one. */
async function apart(work: () => Promise<unknown>) {
  for (const run of [work, async () => {}]) {
    const last = Date.now()
    await until(() => Date.now() > last)
    await run()
  }
}
const newAddress = () => `0x${crypto.randomUUID().replaceAll('-', '')}${'0'.repeat(8)}`
const get = async (id: string) => (await ledger.ask<GatewayTransaction>('GET', `${gatewayPath}/${id}`)).body
const event = (of: { name: string; type: string }, data: unknown) =>
  ledger.consume({
    id: Bun.randomUUIDv7(),
    name: of.name,
    type: of.type,
    timestamp: new Date().toISOString(),
    requestId: null,
    service: 'sanctions',
    data,
  })
/** A new list is in use from now on. */
async function activate() {
  listId += 1
  const publishedAt = '2026-01-01T00:00:00.000Z'
  await apart(() => event(ListActivated, { v: 1, listId, name: 'OFAC SDN', publishedAt, at: new Date().toISOString() }))
}
/** An address is on the list, as the sanctions service says. */
const report = (address: string, ledgerTransactionId: string) =>
  apart(() =>
    event(AddressListed, {
      v: 1,
      id: Bun.randomUUIDv7(),
      address,
      blockchain: 'ethereum',
      participantId: null,
      ledgerTransactionId,
      source: { provider: 'OFAC SDN', match: true, details: {} },
      at: new Date().toISOString(),
    }),
  )
/** A new withdrawal, and its destination. */
async function made(amount = '40') {
  const destinationAddress = newAddress()
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, amount, { destinationAddress }))
  wallet.script(id, 'accepted')
  return { id, destinationAddress }
}
/** Its screening is passed, and the wallet service has accepted it. */
async function pass(id: string, screeningData?: object) {
  await screen(ledger, id, true, screeningData)
  await until(() => wallet.records.has(id))
}
async function ordered(amount?: string) {
  const withdrawal = await made(amount)
  await pass(withdrawal.id)
  return withdrawal
}
async function authorise(...ids: string[]): Promise<Authorisation | null> {
  const headers = await ledger.asService('wallet')
  const answer = await ledger.ask('POST', '/internal/authorisations', { items: ids }, headers)
  return answer.body.items[0] ?? null
}
const asked = () => sanctions.requests.length
const review = (id: string, act: 'approve' | 'reject', body: object = {}, headers = {}) =>
  ledger.ask('POST', `/transactions/${id}/${act}-frozen-withdrawal`, body, headers)

describe('a withdrawal that was passed before the list in use', () => {
  test('is screened again before its signature, once for each list and address', async () => {
    const { id } = await ordered()
    const before = asked()
    expect((await authorise(id))?.terms?.amount).toBe('40')
    expect(asked()).toBe(before)
    await activate()
    expect((await authorise(id))?.terms?.amount).toBe('40')
    expect((await authorise(id))?.terms?.amount).toBe('40')
    expect(asked()).toBe(before + 1)
    await activate()
    await authorise(id)
    expect(asked()).toBe(before + 2)
  })

  test('what another list than the one in use has answered is not remembered', async () => {
    const { id, destinationAddress } = await ordered()
    await activate()
    for (const by of [-1, 1]) {
      listId += by
      // The older one of a service that was restored passes nothing; the event of a newer one is on its way.
      expect((await authorise(id))?.terms?.amount).toBe(by < 0 ? undefined : '40')
      listId -= by
    }
    listed.add(destinationAddress)
    expect([(await authorise(id))?.terms, (await get(id)).status]).toEqual([null, 'FROZEN'])
  })

  test('those of one call are asked about in one call', async () => {
    const ids = [(await ordered()).id, (await ordered('1')).id, (await ordered('1')).id]
    await activate()
    const before = asked()
    await authorise(...ids)
    expect(asked()).toBe(before + 1)
  })

  test('is not signed while it cannot be screened, and stays APPROVED', async () => {
    const { id } = await ordered()
    await activate()
    isAway = true
    const reason = 'A new sanctions list is in use, and the destination cannot be screened by it'
    expect(await authorise(id)).toEqual({ id, terms: null, reason })
    expect((await get(id)).status).toBe('APPROVED')
    isAway = false
    expect((await authorise(id))?.terms?.amount).toBe('40')
  })

  test('whose verdict is of the list in use is not asked about, though it was made before', async () => {
    const { id } = await made()
    await activate()
    await pass(id)
    const before = asked()
    expect((await authorise(id))?.terms?.amount).toBe('40')
    expect(asked()).toBe(before)
  })

  test('a verdict counts from when it was found, not from when the ledger heard of it', async () => {
    const { id } = await made()
    const checkedAt = new Date().toISOString()
    await activate()
    await pass(id, { result: { checkedAt } })
    const before = asked()
    await authorise(id)
    expect(asked()).toBe(before + 1)
  })
})

describe('one whose destination is on the list in use', () => {
  async function frozenAgain() {
    const withdrawal = await ordered()
    listed.add(withdrawal.destinationAddress)
    await activate()
    const answer = await authorise(withdrawal.id)
    return { ...withdrawal, answer }
  }

  test('is frozen again: no terms, its phases say why, an event tells, and the hold stays', async () => {
    const { id, answer } = await frozenAgain()
    expect(answer).toEqual({ id, terms: null, reason: 'The destination is sanctioned by now: OFAC SDN' })
    const frozen = await get(id)
    expect(frozen.status).toBe('FROZEN')
    expect(phase(frozen, 'screening')).toMatchObject({ status: 'FAILED', detail: answer?.reason ?? '' })
    expect(phase(frozen, 'review')?.status).toBe('IN_PROGRESS')
    expect(phase(frozen, 'execution')?.status).toBe('PENDING')
    expect(await balanceOf(ledger, bench)).toEqual(['60', '40', '100'])
    const moved = (await ledger.events()).filter(({ data }) => (data as Tx).id === id).at(-1)
    expect(moved?.data).toMatchObject({ from: 'APPROVED', status: 'FROZEN', reason: answer?.reason ?? '' })
    expect((await authorise(id))?.reason).toBe('The withdrawal is FROZEN; only an APPROVED one is signed')
  })

  test('a second approval decides, and it is signed', async () => {
    const { id } = await frozenAgain()
    expect((await review(id, 'approve')).status).toBe(200)
    await until(async () => (await authorise(id))?.terms?.amount === '40')
    wallet.script(id, 'confirmed')
    await until(async () => (await get(id)).status === 'COMPLETED')
    expect((await decisionsOf(ledger, id)).map(([decision]) => decision)).toEqual(['APPROVED'])
    const ends = ['COMPLETED', 'FAILED', 'COMPLETED', 'COMPLETED', 'COMPLETED'] as const
    expect((await get(id)).phases.map(({ status }) => status)).toEqual([...ends])
  })

  test('a list that comes after that approval is asked once more', async () => {
    const { id } = await frozenAgain()
    await review(id, 'approve')
    await until(async () => (await authorise(id))?.terms?.amount === '40')
    await activate()
    expect((await authorise(id))?.terms).toBeNull()
    expect((await get(id)).status).toBe('FROZEN')
  })

  test('a rejection has the wallet service refuse it first', async () => {
    const { id } = await frozenAgain()
    // No attempt of before orders it any more.
    await until(() => worker.idle?.() ?? true)
    wallet.records.delete(id)
    const rejected = await review(id, 'reject', { reason: 'Sanctioned' })
    expect([rejected.status, rejected.body]).toMatchObject([200, { status: 'REJECTED', rejectionReason: 'Sanctioned' }])
    expect(wallet.records.get(id)).toMatchObject({ status: 'failed', reason: 'Sanctioned' })
    expect(await balanceOf(ledger, bench)).toEqual(['100', '0', '100'])
  })

  test('409 when it may have been paid, and 503 when the wallet service cannot be asked', async () => {
    const { id } = await frozenAgain()
    const known = await review(id, 'reject')
    expect([known.status, known.body.message]).toEqual([
      409,
      `Transaction ${id} cannot be rejected: the wallet service has it as accepted`,
    ])
    wallet.intercept(id, () => Response.json({ error: { code: 'DOWN', message: 'No' } }, { status: 503 }))
    expect((await review(id, 'reject')).status).toBe(503)
    expect((await get(id)).status).toBe('FROZEN')
    expect(await balanceOf(ledger, bench)).toEqual(['60', '40', '100'])
  })

  test('one that is on its chain already stays, and is not signed again', async () => {
    const { id, destinationAddress } = await ordered()
    wallet.script(id, 'broadcast')
    await until(async () => (await get(id)).transactionData.txHash !== null)
    listed.add(destinationAddress)
    await activate()
    expect((await authorise(id))?.terms).toBeNull()
    expect((await get(id)).status).toBe('APPROVED')
    wallet.script(id, 'confirmed')
    await until(async () => (await get(id)).status === 'COMPLETED')
  })
})

test('an address that is reported while the withdrawal is reviewed is answered by that review; a list that comes then is not', async () => {
  const { id, destinationAddress: address } = await ordered()
  listed.add(address)
  await activate()
  await authorise(id)
  expect((await get(id)).status).toBe('FROZEN')
  await report(address, id)
  await review(id, 'approve')
  await until(async () => (await authorise(id))?.terms?.amount === '40')
  expect((await get(id)).status).toBe('APPROVED')

  const { id: other, destinationAddress: destination } = await ordered()
  await activate()
  await report(destination, other)
  await authorise(other)
  listed.add(destination)
  await activate()
  await review(other, 'approve')
  // Once it is ordered again, the list that came before the approval is asked.
  const before = asked()
  await until(async () => (await authorise(other))?.terms === null && (await get(other)).status === 'FROZEN')
  expect(asked()).toBe(before + 1)
})

test('an address that the sanctions service reports as listed freezes what goes there, and no question is asked', async () => {
  const { id, destinationAddress } = await ordered()
  await report(destinationAddress.toUpperCase().replace('0X', '0x'), id)
  const before = asked()
  expect((await authorise(id))?.reason).toBe('The destination is sanctioned by now: OFAC SDN')
  expect(asked()).toBe(before)
  expect((await get(id)).status).toBe('FROZEN')
  await review(id, 'approve')
  await until(async () => (await authorise(id))?.terms?.amount === '40')
})
