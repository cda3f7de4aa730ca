import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { TransactionState } from '@bursar/contracts/core-ledger'
import { SanctionsJobCompleted } from '@bursar/contracts/sanctions'
import { DeliveryRequested } from '@bursar/contracts/webhook'
import { eq } from '@bursar/store'
import { type LocalServer, localServer } from '@bursar/testing'
import { jobs } from '../src/jobs/jobs.table'
import { jobQueue } from '../src/jobs/run-jobs'
import { screenPending } from '../src/ledger/transactions.consumer'
import { watchedAddresses } from '../src/watch/watched-addresses.table'
import { bringList, clean, entry, listed, runDue, type TestSanctions, testSanctions } from './harness'
import { ledgerEvent } from './ledger-event'

let outside: LocalServer
let service: TestSanctions
beforeAll(async () => {
  outside = localServer(() => Response.json([]))
  service = await testSanctions({
    env: { SCREENING: 'sanctions', CHAINALYSIS_API_KEY: 'k', CHAINALYSIS_URL: outside.url },
    urls: { 'core-ledger': outside.url },
  })
})
// Tests change it, and run in any order.
beforeEach(() => outside.answer(() => Response.json({ identifications: [] })))
afterAll(async () => {
  await service.close()
  await outside.stop()
})

const verdictsOf = async (transactionId: string, from = service) =>
  (await from.events())
    .filter(({ name }) => name === SanctionsJobCompleted.name)
    .map(({ data }) => data as SanctionsJobCompleted)
    .filter(({ externalId }) => externalId === transactionId)

async function screened(fields: Partial<TransactionState>) {
  const event = ledgerEvent(fields)
  await service.consume(event)
  await service.consume({ ...event, id: Bun.randomUUIDv7() })
  await runDue(service.deps)
  return await verdictsOf(event.data.id)
}

describe('with SCREENING=sanctions', () => {
  test('a verdict names the list that it was given by, also when it is told again', async () => {
    const event = ledgerEvent({ type: 'WITHDRAWAL', destinationAddress: clean.btc })
    await service.consume(event)
    await runDue(service.deps)
    const old = { ...event.data, createdAt: new Date(service.clock().getTime() - 60_000).toISOString() }
    outside.answer(() => Response.json([old]))
    await screenPending(service.deps)
    const list = service.deps.list.get().row.id
    expect((await verdictsOf(event.data.id)).map(({ listId }) => listId)).toEqual([list, list])
  })

  test.each<[string, Partial<TransactionState>, boolean]>([
    ['a deposit by its source', { type: 'DEPOSIT', sourceAddress: listed.eth, destinationAddress: clean.eth }, true],
    ['a deposit from elsewhere', { type: 'DEPOSIT', sourceAddress: clean.eth }, false],
    [
      'a withdrawal by its destination',
      { type: 'WITHDRAWAL', sourceAddress: clean.eth, destinationAddress: listed.btc },
      true,
    ],
    ['a withdrawal to elsewhere', { type: 'WITHDRAWAL', destinationAddress: clean.btc }, false],
  ])('%s', async (_, fields, sanctioned) => {
    const [verdict, ...more] = await screened(fields)
    expect(more).toEqual([])
    expect(verdict).toMatchObject({ kind: 'ledger', status: 'completed', result: { sanctioned } })
    expect(verdict?.result?.sources.map(({ provider }) => provider)).toEqual(['ofac-sdn', 'sandbox', 'chainalysis'])
  })

  test('a transfer has no external party: it passes, with no source queried', async () => {
    const verdicts = await screened({ type: 'TRANSFER', sourceAddress: null })
    expect(verdicts).toMatchObject([{ status: 'completed', result: { sanctioned: false, sources: [] } }])
  })

  test('a job that ends as it is made is not worked on', async () => {
    await service.consume(ledgerEvent({ type: 'TRANSFER', sourceAddress: null }))
    expect(await jobQueue.isDue(service.store.read, service.clock())).toBe(false)
  })

  test('transactions that arrive together: each gets its verdict, in few commits and statements', async () => {
    const events = [
      ...Array.from({ length: 30 }, () => ledgerEvent({ type: 'WITHDRAWAL', destinationAddress: clean.eth })),
      ledgerEvent({ type: 'WITHDRAWAL', destinationAddress: listed.btc, participantId: Bun.randomUUIDv7() }),
      ledgerEvent({ type: 'DEPOSIT', sourceAddress: listed.eth }),
      ledgerEvent({ type: 'TRANSFER' }),
      ledgerEvent({ type: 'DEPOSIT' }),
    ]
    const twice = { ...events[0], id: Bun.randomUUIDv7() } as (typeof events)[number]
    const before = service.store.counts()
    await Promise.all([...events, twice].map((event) => service.consume(event)))
    const consumed = service.store.counts()
    expect(consumed.bodies - before.bodies).toBe(1)
    expect(consumed.statements - before.statements).toBeLessThan(20)
    await runDue(service.deps)
    const verdicts = await Promise.all(events.map(({ data }) => verdictsOf(data.id)))
    expect(verdicts.map((each) => each.map(({ result }) => result?.sanctioned ?? null))).toEqual([
      ...Array.from({ length: 30 }, () => [false]),
      [true],
      [true],
      [false],
      [null],
    ])
    const watched = await service.store.read.select().from(watchedAddresses)
    const lastOf = (address: string) =>
      watched.filter((row) => row.address === address).map((row) => row.ledgerTransactionId)
    // One row for the address, of any of the 30: jobs of one moment have no order.
    const [last, ...more] = lastOf(clean.eth)
    expect(events.slice(0, 30).map(({ data }) => data.id)).toContain(last ?? '')
    expect(more).toEqual([])
    expect(lastOf(listed.btc)).toContain(events[30]?.data.id ?? '')
  })

  test.each(['DEPOSIT', 'WITHDRAWAL'] as const)('a %s without an address fails: it is not approved', async (type) => {
    for (const address of [null, '', ' ']) {
      const verdicts = await screened({ type, sourceAddress: address, destinationAddress: address })
      expect(verdicts).toMatchObject([{ status: 'failed', result: null, error: expect.stringContaining('no address') }])
    }
  })

  test('no verdict while a source is unreachable, however long; afterwards there is one', async () => {
    outside.answer(() => new Response('', { status: 502 }))
    const event = ledgerEvent({ type: 'WITHDRAWAL', destinationAddress: clean.eth })
    await service.consume(event)
    for (let attempt = 0; attempt < 12; attempt++) {
      await runDue(service.deps)
      service.clock.advance(600_000)
    }
    expect(await verdictsOf(event.data.id)).toEqual([])
    outside.answer(() => Response.json({ identifications: [] }))
    await runDue(service.deps)
    expect(await verdictsOf(event.data.id)).toMatchObject([{ status: 'completed', result: { sanctioned: false } }])
  })

  test('what cannot be screened for minutes is told in the health, until it is screened', async () => {
    outside.answer(() => new Response('', { status: 502 }))
    const told = async () => (await service.get('/health')).body
    await service.consume(ledgerEvent({ type: 'WITHDRAWAL', destinationAddress: clean.eth }))
    for (const pauseMs of [1000, 5000, 30_000, 120_000]) {
      await runDue(service.deps)
      expect((await told()).status).toBe('ok')
      service.clock.advance(pauseMs)
    }
    await runDue(service.deps)
    const { status, waiting } = await told()
    expect([status, waiting]).toEqual([
      'degraded',
      [expect.stringMatching(/^1 transaction cannot be screened: PENDING until a source answers \(.*502/)],
    ])
    outside.answer(() => Response.json({ identifications: [] }))
    service.clock.advance(600_000)
    await runDue(service.deps)
    expect((await told()).status).toBe('ok')
  })

  test('the ledger’s jobs send no webhook', async () => {
    const names = new Set((await service.events()).map(({ name }) => name))
    expect(names.has(DeliveryRequested.name)).toBe(false)
  })

  test('a lost event is recovered: the ledger is asked for pending transactions', async () => {
    const { id, type, network, sourceAddress, destinationAddress } = ledgerEvent({
      type: 'WITHDRAWAL',
      destinationAddress: listed.eth,
    }).data
    const waiting = { id, type, network, sourceAddress, destinationAddress }
    const justYoung = new Date(service.clock().getTime() - 30_000).toISOString()
    const young = { ...waiting, id: Bun.randomUUIDv7(), createdAt: justYoung }
    const old = { ...waiting, createdAt: new Date(service.clock().getTime() - 31_000).toISOString() }
    outside.answer((request) =>
      request.url.includes('/v1/transactions') ? Response.json([old, young]) : Response.json({ identifications: [] }),
    )
    await screenPending(service.deps)
    expect(outside.requests.at(-1)?.path).toBe('/v1/transactions?status=PENDING&limit=100&offset=0')
    await runDue(service.deps)
    expect(await verdictsOf(id)).toMatchObject([{ result: { sanctioned: true } }])
    expect(await verdictsOf(young.id)).toEqual([])
    // The event with the verdict was lost: it is emitted again.
    await screenPending(service.deps)
    expect(await verdictsOf(id)).toMatchObject([{ result: { sanctioned: true } }, { result: { sanctioned: true } }])
  })
})

describe('with SCREENING=sanctions and no source outside', () => {
  const withdrawalTo = (destinationAddress: string) => ledgerEvent({ type: 'WITHDRAWAL', destinationAddress })
  // Each has its own: one of them brings another list.
  let alone: TestSanctions
  beforeEach(async () => {
    alone = await testSanctions({ env: { SCREENING: 'sanctions' }, urls: { 'core-ledger': outside.url } })
  })
  afterEach(() => alone.close())

  /** Its event comes after it was found waiting without one, as when Redis was away. */
  async function withLateEvent(fields: Partial<TransactionState>) {
    const event = ledgerEvent({ type: 'WITHDRAWAL', ...fields })
    const createdAt = new Date(alone.clock().getTime() - 31_000).toISOString()
    const { id, type, network, sourceAddress, destinationAddress } = event.data
    outside.answer(() => Response.json([{ id, type, network, sourceAddress, destinationAddress, createdAt }]))
    await screenPending(alone.deps)
    await alone.consume(event)
    // Another's word afterwards changes nothing.
    const data = { ...event.data, participantId: Bun.randomUUIDv7() }
    await alone.consume({ ...event, id: Bun.randomUUIDv7(), data })
    return id
  }

  test('a transaction that was found before its event is its participant’s from the event on', async () => {
    const participantId = Bun.randomUUIDv7()
    const id = await withLateEvent({ destinationAddress: clean.btc, participantId })
    const rows = await alone.store.read.select().from(jobs).where(eq(jobs.externalId, id))
    expect(rows.map((row) => row.participantId)).toEqual([participantId])
    expect(await verdictsOf(id, alone)).toHaveLength(1)
    const watched = await alone.store.read
      .select()
      .from(watchedAddresses)
      .where(eq(watchedAddresses.participantId, participantId))
    expect(watched).toMatchObject([{ address: clean.btc, ledgerTransactionId: id, listed: false }])
    const ofNone = await withLateEvent({ type: 'TRANSFER', participantId })
    expect(await verdictsOf(ofNone, alone)).toHaveLength(1)
  })

  test('the commit that takes transactions has their verdicts, and leaves no work', async () => {
    const many = () => Array.from({ length: 20 }, () => withdrawalTo(clean.eth))
    // Preparing a statement counts as well: it is done once.
    await Promise.all([...many(), withdrawalTo(listed.btc)].map((event) => alone.consume(event)))
    const events = [
      ...many(),
      withdrawalTo(listed.btc),
      withdrawalTo(`0x${'1'.repeat(36)}9999`),
      ledgerEvent({ type: 'TRANSFER' }),
      ledgerEvent({ type: 'DEPOSIT' }),
    ]
    const twice = { ...events[0], id: Bun.randomUUIDv7() } as (typeof events)[number]
    const before = alone.store.counts()
    await Promise.all([...events, twice].map((event) => alone.consume(event)))
    const consumed = alone.store.counts()
    expect(consumed.bodies - before.bodies).toBe(1)
    // With the relay's, which measures what it publishes.
    expect(consumed.statements - before.statements).toBeLessThan(16)
    expect(await jobQueue.isDue(alone.store.read, alone.clock())).toBe(false)
    const verdicts = await Promise.all(events.map(({ data }) => verdictsOf(data.id, alone)))
    expect(verdicts.map((each) => each.map(({ result }) => result?.sanctioned ?? null))).toEqual([
      ...Array.from({ length: 20 }, () => [false]),
      [true],
      [true],
      [false],
      [null],
    ])
    const watched = await alone.store.read.select().from(watchedAddresses)
    expect(watched.map(({ address, listed }) => [address, listed])).toEqual(
      expect.arrayContaining([
        [clean.eth, false],
        [listed.btc, true],
      ]),
    )
  })

  test('a job tells what its verdict told, also when another list is in use, and keeps no text of the list', async () => {
    const events = [clean.eth, listed.eth].map(withdrawalTo)
    for (const event of events) await alone.consume(event)
    await bringList(alone, [entry(clean.eth)])
    for (const event of events) {
      const [verdict] = await verdictsOf(event.data.id, alone)
      expect(verdict?.result?.sources.map(({ provider }) => provider)).toEqual(['ofac-sdn', 'sandbox'])
      expect(verdict?.result?.sources[0]?.details.version).toBe('2024-09-27')
      const job = (await alone.get(`/sanctions/jobs/${verdict?.jobId}`)).body
      expect(job).toMatchObject({ status: 'completed', attempts: 1, error: null })
      expect(job.result).toEqual(verdict?.result)
      const [listed] = (await alone.get(`/sanctions/jobs?transactionId=${event.data.id}`)).body
      expect(listed).toMatchObject({ ...job, sanctioned: verdict?.result?.sanctioned })
    }
    const [cleared] = await alone.store.read
      .select()
      .from(jobs)
      .where(eq(jobs.externalId, events[0]?.data.id ?? ''))
    expect(JSON.stringify(cleared?.result)).not.toContain('ofac')
  })

  test('a lost verdict is told again, whole', async () => {
    const event = withdrawalTo(clean.btc)
    await alone.consume(event)
    const createdAt = new Date(alone.clock().getTime() - 31_000).toISOString()
    outside.answer((request) =>
      Response.json(
        request.url.includes('/v1/transactions') ? [{ ...event.data, createdAt }] : { identifications: [] },
      ),
    )
    await screenPending(alone.deps)
    const [first, again, ...more] = await verdictsOf(event.data.id, alone)
    expect(again?.result).toEqual(first?.result ?? null)
    expect(first?.result?.sources[0]?.details.list).toBe('OFAC SDN')
    expect(more).toEqual([])
  })
})
