// What decides whether a withdrawal is screened again are times; a wrong clock must not let one pass.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import type { Authorisation } from '@bursar/contracts/core-ledger'
import { AddressListed, ListActivated, SanctionsJobCompleted } from '@bursar/contracts/sanctions'
import { eq } from '@bursar/store'
import { type LocalServer, localServer } from '@bursar/testing'
import { work } from '../src/movements/work.table'
import { lookAtList } from '../src/withdrawals/rescreening.consumer'
import { activatedLists } from '../src/withdrawals/rescreening.table'
import { type Ledger, openLedger } from './harness'
import { type Bench, getTransaction, make, makeBench, pay, screen, withdrawalOf } from './steps'

const yearMs = 365 * 86_400_000
const destinationAddress = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
let sanctions: LocalServer
let ledger: Ledger
let bench: Bench
const listInUse = () => ({
  id: listId,
  name: 'OFAC SDN',
  source: 'https://lists.example/sdn',
  publishedAt,
  checksum: null,
  entries: 1,
  names: 0,
  status: 'current',
})
/** How wrong the clock is. */
let skewMs = 0
/** How far the other service's clock is ahead of the ledger's. */
let aheadMs = 0
let listId = 0
let publishedAt = '2026-01-01T00:00:00.000Z'
let isListed = false
const clock = () => new Date(Date.now() + skewMs)
/** Between two steps a millisecond passes, on every machine. */
const step = () => setSystemTime(new Date(Date.now() + 1))
beforeAll(() => {
  sanctions = localServer(async (request) => {
    if (request.method === 'GET') return Response.json(listInUse())
    const { items } = (await request.json()) as { items: { address: string }[] }
    const source = isListed ? { provider: 'OFAC SDN', match: true, details: {} } : null
    return Response.json({ items: items.map(({ address }) => ({ address, listId, isListed, source })) })
  })
})
afterAll(() => sanctions.stop())
beforeEach(async () => {
  setSystemTime(new Date())
  skewMs = 0
  aheadMs = 0
  publishedAt = '2026-01-01T00:00:00.000Z'
  isListed = false
  const env = { SCREENING: 'sanctions' }
  ledger = await openLedger({ env, urls: { sanctions: sanctions.url }, tuning: { now: clock } })
  bench = await makeBench(ledger, '0')
  await pay(ledger, bench, '100')
})
afterEach(async () => {
  setSystemTime()
  await ledger.close()
})

const event = (of: { name: string; type: string }, data: object) =>
  ledger.consume({
    id: Bun.randomUUIDv7(),
    name: of.name,
    type: of.type,
    timestamp: clock().toISOString(),
    requestId: null,
    service: 'sanctions',
    data: { v: 1, ...data },
  })
function soon() {
  step()
  return new Date(clock().getTime() + aheadMs).toISOString()
}
const activate = () =>
  event(ListActivated, { listId: ++listId, name: 'OFAC SDN', publishedAt: '2026-01-01T00:00:00.000Z', at: soon() })
const report = () =>
  event(AddressListed, {
    id: Bun.randomUUIDv7(),
    address: destinationAddress,
    blockchain: 'ethereum',
    participantId: null,
    ledgerTransactionId: null,
    source: { provider: 'OFAC SDN', match: true, details: {} },
    at: soon(),
  })
async function ordered(): Promise<string> {
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, '10', { destinationAddress }))
  await screen(ledger, id, true)
  await order(id)
  return id
}
/** As the worker does, which is not started here. */
const order = (id: string) =>
  ledger.store.commit(async (tx) => {
    await tx.update(work).set({ orderedAt: clock() }).where(eq(work.transactionId, id))
  })
async function isAuthorised(id: string): Promise<boolean> {
  step()
  const headers = await ledger.asService('wallet')
  const { body } = await ledger.ask<{ items: Authorisation[] }>(
    'POST',
    '/internal/authorisations',
    { items: [id] },
    headers,
  )
  return body.items[0]?.terms != null
}
async function approve(id: string) {
  step()
  const { status } = await ledger.ask('POST', `/transactions/${id}/approve-frozen-withdrawal`, {})
  expect(status).toBe(200)
  await order(id)
}

test('a list whose event a restore of the ledger has taken away screens again what was passed before it', async () => {
  await activate()
  const id = await ordered()
  listId += 1
  isListed = true
  for (const _ of ['first', 'again']) {
    step()
    await lookAtList(ledger.deps)
  }
  const known = await ledger.store.read.select().from(activatedLists)
  expect(known.filter((list) => list.id === listId)).toMatchObject([{ name: 'OFAC SDN' }])
  expect([await isAuthorised(id), (await getTransaction(ledger, id)).status]).toEqual([false, 'FROZEN'])
  await approve(id)
  step()
  // What is known already is not new again: what a person has approved stays approved.
  await lookAtList(ledger.deps)
  expect(await isAuthorised(id)).toBe(true)
  // An older one is in use after a restore of the other service: that is no news.
  listId -= 1
  await lookAtList(ledger.deps)
  expect(await ledger.store.read.select().from(activatedLists)).toEqual(known)
})

test.each(['the number', 'a lower number'])(
  'a list that has %s of one that a restore of the other service lost, and whose event was lost, is known by its publication',
  async (which) => {
    await activate()
    await activate()
    step()
    const id = await ordered()
    expect(await isAuthorised(id)).toBe(true)
    if (which === 'a lower number') listId -= 1
    isListed = true
    step()
    publishedAt = clock().toISOString()
    for (const _ of ['first', 'again']) {
      step()
      await lookAtList(ledger.deps)
    }
    expect([await isAuthorised(id), (await getTransaction(ledger, id)).status]).toEqual([false, 'FROZEN'])
    await approve(id)
    step()
    await lookAtList(ledger.deps)
    expect(await isAuthorised(id)).toBe(true)
  },
)

test('a list that was published at a time still to come is no news each minute', async () => {
  await activate()
  const id = await ordered()
  publishedAt = new Date(clock().getTime() + yearMs).toISOString()
  const known = await ledger.store.read.select().from(activatedLists)
  await lookAtList(ledger.deps)
  expect(await ledger.store.read.select().from(activatedLists)).toEqual(known)
  expect(await isAuthorised(id)).toBe(true)
})

describe('a withdrawal that was made after a list came, and passed by an older one', () => {
  /** As a sanctions service does that was restored, and has lost the newest list. */
  async function passedByOlder(list = listId - 1): Promise<string> {
    step()
    const { id: externalId } = await make(ledger, 'withdrawal', withdrawalOf(bench, '10', { destinationAddress }))
    const at = soon()
    const result = {
      address: destinationAddress,
      blockchain: 'ethereum',
      sanctioned: false,
      sources: [],
      checkedAt: at,
    }
    const job = { jobId: Bun.randomUUIDv7(), kind: 'ledger', externalId, participantId: null, status: 'completed' }
    await event(SanctionsJobCompleted, { ...job, result, error: null, listId: list, at })
    await order(externalId)
    return externalId
  }
  test('waits for the update, which gives the number of the lost list again, and is screened by it', async () => {
    await activate()
    const id = await passedByOlder()
    listId -= 1
    expect(await isAuthorised(id)).toBe(false)
    await activate()
    expect(await isAuthorised(id)).toBe(true)
    isListed = true
    await activate()
    expect([await isAuthorised(id), (await getTransaction(ledger, id)).status]).toEqual([false, 'FROZEN'])
  })

  test('is frozen where the older list has its destination already', async () => {
    await activate()
    const id = await passedByOlder()
    listId -= 1
    isListed = true
    expect([await isAuthorised(id), (await getTransaction(ledger, id)).status]).toEqual([false, 'FROZEN'])
  })

  test('is frozen once: what a person approves then is signed', async () => {
    await activate()
    const id = await passedByOlder()
    isListed = true
    expect(await isAuthorised(id)).toBe(false)
    await approve(id)
    expect(await isAuthorised(id)).toBe(true)
  })

  test('is not one that the newest has passed, nor what is made later: they are not screened again', async () => {
    await activate()
    const ids = [await passedByOlder(listId), await passedByOlder(listId + 1)]
    isListed = true
    for (const id of ids) expect(await isAuthorised(id)).toBe(true)
    await passedByOlder()
    expect(await isAuthorised(await passedByOlder(listId))).toBe(true)
  })
})

describe.each([0, 5, 60_000])('with the other service %i ms ahead', (ms) => {
  beforeEach(() => {
    aheadMs = ms
  })
  test.each([
    ['list', activate],
    ['report', report],
  ])('what was passed under a clock a year ahead is not spared by a %s that came after it', async (_, comes) => {
    const id = await ordered()
    // It was right only now.
    skewMs = -yearMs
    expect(await isAuthorised(id)).toBe(true)
    isListed = true
    await comes()
    expect(await isAuthorised(id)).toBe(false)
  })

  test('a list of a clock a year ahead freezes once, and does not hide the next list', async () => {
    const id = await ordered()
    skewMs = yearMs
    isListed = true
    await activate()
    expect(await isAuthorised(id)).toBe(false)
    skewMs = 0
    await approve(id)
    expect(await isAuthorised(id)).toBe(true)
    await activate()
    expect(await isAuthorised(id)).toBe(false)
  })

  test('a report of a clock a year ahead freezes once', async () => {
    const id = await ordered()
    skewMs = yearMs
    await report()
    expect(await isAuthorised(id)).toBe(false)
    skewMs = 0
    await approve(id)
    expect(await isAuthorised(id)).toBe(true)
  })

  test('a report of a clock a year ahead, of an address of the list in use, freezes no more than once for each', async () => {
    const id = await ordered()
    isListed = true
    await activate()
    skewMs = yearMs
    await report()
    expect(await isAuthorised(id)).toBe(false)
    skewMs = 0
    await approve(id)
    expect(await isAuthorised(id)).toBe(false)
    await approve(id)
    expect(await isAuthorised(id)).toBe(true)
  })
})

test('a list that has the number of one that a restore lost is asked for itself', async () => {
  const id = await ordered()
  await activate()
  expect(await isAuthorised(id)).toBe(true)
  // The sanctions service was restored to before that list, and the next one got its number.
  listId -= 1
  isListed = true
  await activate()
  expect(await isAuthorised(id)).toBe(false)
})
