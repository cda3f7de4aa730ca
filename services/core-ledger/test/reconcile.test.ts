import { describe, expect, test } from 'bun:test'
import { createReconciliation } from '../src/reconciliation/reconciliation'
import {
  answer,
  eachWithPeers,
  ledger,
  nativeBench,
  passMinutes,
  peers,
  record,
  round,
  says,
  txHash,
  withdrawal,
} from './reconcile-harness'
import { makeBench } from './steps'

eachWithPeers()

describe('the service', () => {
  const word = 'wallet or chains differ; see bun run reconcile'
  const verdict = (it: ReturnType<typeof createReconciliation>) => it.waits(ledger.store.read)

  test('reports orders that differ, until they agree', async () => {
    const reconciliation = createReconciliation()
    const unknown = Bun.randomUUIDv7()
    says.records.push(record(unknown, 'confirmed'))
    await round(reconciliation)
    expect(await verdict(reconciliation)).toBe(word)
    await round(reconciliation)
    expect(await verdict(reconciliation)).toBe(word)
    says.records[0] = record(unknown, 'failed')
    await round(reconciliation)
    expect(await verdict(reconciliation)).toBeNull()
  })

  test('checks all orders again when the wallet service’s versions start again', async () => {
    const reconciliation = createReconciliation()
    says.records.push(...Array.from({ length: 201 }, () => record(Bun.randomUUIDv7(), 'failed')))
    await round(reconciliation)
    const bench = await makeBench(ledger)
    await withdrawal(bench, 'COMPLETED')
    await round(reconciliation)
    expect(await verdict(reconciliation)).toBeNull()
    says.epoch = 2
    await round(reconciliation)
    expect(await verdict(reconciliation)).toBe(word)
  })

  test('reports what the wallet service has not confirmed until it has, as when it is restored and reads its chain again', async () => {
    says.kind = 'simulated'
    const reconciliation = createReconciliation()
    const done = await withdrawal(await makeBench(ledger), 'COMPLETED')
    says.records.push(record(done, 'broadcast'))
    // More than are read again each time.
    says.records.push(...Array.from({ length: 201 }, () => record(Bun.randomUUIDv7(), 'failed')))
    await round(reconciliation)
    await round(reconciliation)
    expect(await verdict(reconciliation)).toBe(word)
    says.records.shift()
    says.records.push(record(done, 'confirmed'))
    await round(reconciliation)
    expect(await verdict(reconciliation)).toBeNull()
  })

  test('reports what is short twice on a real chain, never on a simulated one', async () => {
    const bench = await nativeBench('3')
    const reconciliation = createReconciliation()
    await round(reconciliation)
    expect(await verdict(reconciliation)).toBeNull()
    await round(reconciliation)
    expect(await verdict(reconciliation)).toBe(word)
    says.held.ethereum = [[null, 3_000_000n]]
    await round(reconciliation)
    expect(await verdict(reconciliation)).toBeNull()
    says.held.ethereum = []
    says.kind = 'simulated'
    for (let i = 0; i < 3; i++) await round(reconciliation)
    expect(await verdict(reconciliation)).toBeNull()
    expect(bench.assetId).toBeString()
  })

  test('knows what another instance has found, and goes on with it', async () => {
    await nativeBench('3')
    const [one, other] = [createReconciliation(), createReconciliation()]
    await round(one)
    expect(await verdict(other)).toBeNull()
    await other.round(ledger.deps)
    expect(await verdict(other)).toBeNull()
    // Short in two rounds, by two instances.
    await round(other)
    expect([await verdict(one), await verdict(other)]).toEqual([word, word])
  })

  test('finds anew what another instance has found while it read', async () => {
    await nativeBench('3')
    says.held.ethereum = [[null, 3_000_000n]]
    const [one, other] = [createReconciliation(), createReconciliation()]
    const [read, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const commit: typeof ledger.store.commit = async (...args) => {
      read.resolve()
      await goOn.promise
      return await ledger.store.commit(...args)
    }
    const older = one.round({ ...ledger.deps, store: { ...ledger.store, commit } })
    await read.promise
    says.held.ethereum = []
    for (let i = 0; i < 2; i++) await round(other)
    goOn.resolve()
    await older
    expect([await verdict(one), await verdict(other)]).toEqual([word, word])
  })

  test('whose round fails keeps what another instance has found meanwhile', async () => {
    await nativeBench('3')
    const [one, other] = [createReconciliation(), createReconciliation()]
    const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    peers.answer(async () => {
      asked.resolve()
      await goOn.promise
      return new Response('no', { status: 400 })
    })
    const failing = round(one)
    await asked.promise
    peers.answer(answer)
    for (let i = 0; i < 2; i++) await round(other)
    goOn.resolve()
    await failing
    expect(await verdict(one)).toBe(word)
  })

  test('skips its rounds while the other services are unavailable', async () => {
    const reconciliation = createReconciliation()
    says.records.push(record(Bun.randomUUIDv7(), 'confirmed'))
    peers.answer(() => new Response('busy', { status: 503 }))
    await round(reconciliation)
    expect(await verdict(reconciliation)).toBeNull()
    peers.answer(answer)
    await round(reconciliation)
    expect(await verdict(reconciliation)).toBe(word)
  })
})

describe('GET /v1/books/reconciliation', () => {
  const report = async () => (await ledger.get('/v1/books/reconciliation')).body
  const now = () => ledger.post('/v1/books/reconciliation/rounds', undefined)

  test('is empty before the first round', async () => {
    expect(await report()).toEqual({
      at: null,
      everySeconds: 600,
      failure: null,
      differing: 0,
      orders: [],
      missing: 0,
      holdings: [],
      portfolios: [],
      shortfalls: [],
    })
  })

  test('answers the last result and its time; a round can be requested', async () => {
    await nativeBench('3')
    const unknown = Bun.randomUUIDv7()
    says.records.push(record(unknown, 'confirmed'))
    says.held.ethereum = [[null, 2_500_000n]]
    const before = Date.now()
    const { status, body } = await now()
    expect(status).toBe(200)
    expect(await report()).toEqual(body)
    expect(Date.parse(body.at)).toBeGreaterThanOrEqual(before)
    expect(body).toMatchObject({ failure: null, differing: 1, missing: 0 })
    expect(body.orders).toEqual([{ id: unknown, what: `not known here, confirmed at the wallet service (${txHash})` }])
    const line = { network: 'ethereum', assetCode: expect.any(String), contractAddress: null, isSimulated: false }
    const parts = { customers: '3', suspense: '0', underWay: '0', feesPaid: '0', portfolios: { owed: '0', held: '0' } }
    const own = { ...parts, causes: [], topUp: '0.5' }
    const short = { ...line, ...own, owed: '3', held: '2.5', difference: '-0.5', isShort: true }
    expect(body.holdings).toEqual([{ ...short, isShortTwice: false }])
    // Asked for at once it is the same look.
    expect((await now()).body.holdings).toEqual([{ ...short, isShortTwice: false }])
    passMinutes(8)
    expect((await now()).body.holdings).toEqual([{ ...short, isShortTwice: false }])
    passMinutes(2)
    expect((await now()).body.holdings).toEqual([{ ...short, isShortTwice: true }])
    says.held.ethereum = [[null, 3_000_001n]]
    expect((await now()).body.holdings).toMatchObject([{ difference: '0.000001', isShort: false, isShortTwice: false }])
  })

  test('503 while the other services are unavailable; the last result stays, with the failure', async () => {
    const { body: first } = await now()
    peers.answer(() => new Response('busy', { status: 503 }))
    const refusal = await now()
    expect(refusal.status).toBe(503)
    peers.answer(answer)
    const { failure, ...rest } = await report()
    expect(rest).toEqual({ ...first, failure: undefined })
    expect(failure).toEqual({ at: expect.any(String), message: refusal.body.message })
    expect((await now()).body.failure).toBeNull()
  })
})
