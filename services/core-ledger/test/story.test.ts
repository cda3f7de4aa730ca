import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { waitingSince } from '@bursar/store'
import { fixedClock, until } from '@bursar/testing'
import { failedWithdrawals } from '../src/movements/work.table'
import { type RunningLedger, runLedger } from './execution-harness'
import { hashOf } from './execution-wallet'
import { type Ledger, openLedger } from './harness'
import {
  type Bench,
  complete,
  depositOf,
  failIt,
  make,
  makeBench,
  outside,
  screen,
  type Tx,
  withdrawalOf,
} from './steps'

const nowhere = '00000000-0000-7000-8000-000000000000'

describe('GET /transactions/:id/entries', () => {
  let ledger: Ledger
  let bench: Bench
  beforeAll(async () => {
    ledger = await openLedger()
    bench = await makeBench(ledger, '1000')
  })
  afterAll(() => ledger.close())
  const entries = async (id: string) => (await ledger.ask('GET', `/transactions/${id}/entries`)).body

  test('a deposit arrives in suspense and is credited', async () => {
    const { id } = await make(ledger, 'deposit', depositOf(bench, '12.50'))
    const suspense = { account: 'ethereum', bucket: 'suspense' }
    const arrival = {
      number: expect.any(Number),
      kind: 'arrival',
      from: { account: 'ethereum', bucket: 'world' },
      to: suspense,
      amount: '12.5',
      at: expect.stringMatching(/Z$/),
    }
    expect(await entries(id)).toEqual([arrival])
    await screen(ledger, id, true)
    await complete(ledger, id)
    const to = { account: bench.accountId, bucket: 'available' }
    expect(await entries(id)).toEqual([arrival, { ...arrival, kind: 'credit', from: suspense, to }])
    const [first, second] = (await entries(id)) as { number: number }[]
    expect((second?.number ?? 0) > (first?.number ?? 0)).toBe(true)
  })

  test('a rejected withdrawal is held and released; a transfer delivered', async () => {
    const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench))
    await screen(ledger, id, false)
    await ledger.ask('POST', `/transactions/${id}/reject-frozen-withdrawal`, {})
    const kinds = (rows: { kind: string; from: { bucket: string }; to: { account: string; bucket: string } }[]) =>
      rows.map(({ kind, from, to }) => [kind, from.bucket, to.bucket, to.account])
    expect(kinds(await entries(id))).toEqual([
      ['hold', 'available', 'frozen', bench.accountId],
      ['release', 'frozen', 'available', bench.accountId],
    ])
    const { id: toAccountId } = await ledger.account()
    const transfer = await make(ledger, 'transfer', {
      fromAccountId: bench.accountId,
      toAccountId,
      assetId: bench.assetId,
      amount: '1',
    })
    await screen(ledger, transfer.id, true)
    await complete(ledger, transfer.id)
    expect(kinds(await entries(transfer.id))[1]).toEqual(['delivery', 'frozen', 'available', toAccountId])
  })

  test.each(['entries', 'execution', 'decisions'])('%s: 404 names the transaction, 400 for no UUID', async (part) => {
    const { status, body } = await ledger.ask('GET', `/transactions/${nowhere}/${part}`)
    expect([status, body.message]).toEqual([404, `Transaction ${nowhere} not found`])
    expect((await ledger.ask('GET', `/transactions/7/${part}`)).status).toBe(400)
  })
})

describe('GET /transactions/several', () => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await openLedger()
  })
  afterAll(() => ledger.close())
  const several = (query: string) => ledger.ask('GET', `/transactions/several${query}`)

  test('200 with those that there are, as each is by itself, however the ids are written', async () => {
    const bench = await makeBench(ledger, '100')
    const deposit = await make(ledger, 'deposit', depositOf(bench))
    const out = await make(ledger, 'withdrawal', withdrawalOf(bench))
    const { status, body } = await several(`?ids=${deposit.id.toUpperCase()},${nowhere}&ids=${out.id}&ids=${out.id}`)
    const alone = await Promise.all(
      [deposit, out].map(async ({ id }) => (await ledger.ask('GET', `/transactions/${id}`)).body),
    )
    const sorted = (rows: unknown) => (rows as Tx[]).toSorted((one, other) => (one.id < other.id ? -1 : 1))
    expect([status, sorted(body)]).toEqual([200, sorted(alone)])
    expect((await several(`?ids=${nowhere}`)).body).toEqual([] as never)
    const hundred = [...Array.from({ length: 99 }, () => crypto.randomUUID()), out.id]
    expect((await several(`?ids=${hundred}`)).body).toHaveLength(1)
  })

  test.each([
    ['', /ids/],
    ['?ids=none', /must be UUIDs/],
    [`?ids=${Array.from({ length: 101 }, () => crypto.randomUUID())}`, /at most 100/],
  ])('400: %#', async (query, message) => {
    const { status, body } = await several(query)
    expect([status, String(body.message)]).toEqual([400, expect.stringMatching(message)])
  })
})

describe('GET /transactions/counts', () => {
  test('waiting ones, by type and status, with the oldest; none that have ended', async () => {
    const ledger = await openLedger()
    const counts = async () => (await ledger.ask('GET', '/transactions/counts')).body
    expect(await counts()).toEqual([])
    const bench = await makeBench(ledger, '100')
    const deposits: Tx[] = []
    for (let i = 0; i < 3; i++) deposits.push(await make(ledger, 'deposit', depositOf(bench)))
    const out = await make(ledger, 'withdrawal', withdrawalOf(bench))
    const of = (type: string, status: string, count: number, oldest: Tx | undefined) => ({
      type,
      status,
      count,
      oldestAt: oldest?.createdAt,
      oldestId: oldest?.id,
    })
    expect(await counts()).toEqual([of('DEPOSIT', 'PENDING', 3, deposits[0]), of('WITHDRAWAL', 'PENDING', 1, out)])
    await screen(ledger, deposits[0]?.id ?? '', true)
    await screen(ledger, deposits[2]?.id ?? '', false)
    expect(await counts()).toEqual([
      of('DEPOSIT', 'PENDING', 1, deposits[1]),
      of('WITHDRAWAL', 'PENDING', 1, out),
      of('DEPOSIT', 'FROZEN', 1, deposits[2]),
      of('DEPOSIT', 'APPROVED', 1, deposits[0]),
    ])
    await complete(ledger, deposits[0]?.id ?? '')
    expect((await counts()).map(({ status }: { status: string }) => status)).toEqual(['PENDING', 'PENDING', 'FROZEN'])
    await screen(ledger, out.id, true)
    await failIt(ledger, out.id, 'no')
    expect((await counts()).at(-1)).toEqual(of('WITHDRAWAL', 'FAILED', 1, out))
    await ledger.close()
  })
})

describe('the execution of an approved transaction', () => {
  let running: RunningLedger
  beforeAll(async () => {
    // An attempt that fails is repeated after an hour: nothing but a retry brings it forward.
    const hour = 3_600_000
    running = await runLedger({ tuning: { retry: { firstMs: hour, longestMs: hour } } })
  })
  afterAll(() => running.close())
  const execution = async (id: string) => (await running.ledger.ask('GET', `/transactions/${id}/execution`)).body
  const retry = async (id: string, headers?: Record<string, string>, body?: object) =>
    await running.ledger.ask('POST', `/transactions/${id}/retry`, body, headers)
  const stuck = async (query = '') => (await running.ledger.ask<Tx[]>('GET', `/transactions/stuck${query}`)).body

  async function failing(): Promise<string> {
    const id = await running.withdraw(await running.funded('10'), '1')
    running.wallet.intercept(id, () => Response.json({ message: 'no' }, { status: 503 }))
    await running.screen(id, true)
    await until(async () => (await execution(id)).attempts === 1)
    return id
  }

  test('null while it is not approved, and once it is done', async () => {
    const id = await running.withdraw(await running.funded('10'), '1')
    expect(await execution(id)).toBeNull()
    await running.screen(id, true)
    await running.reached(id, 'COMPLETED')
    expect(await execution(id)).toBeNull()
  })

  test('has the failure and the time of the next attempt; a retry makes it due', async () => {
    const id = await failing()
    const before = await execution(id)
    expect(before).toMatchObject({ lane: 'chain', attempts: 1, underWayUntil: null, acceptedAt: null })
    expect(before.lastError).toEqual(expect.stringContaining('wallet'))
    expect(Date.parse(before.nextAttemptAt)).toBeGreaterThan(Date.now() + 1_000_000)
    expect(before.orderedAt).not.toBeNull()
    const shown = (await stuck()).find((one) => one.id === id)
    expect(shown).toMatchObject({ status: 'APPROVED', type: 'WITHDRAWAL', amount: '1', attempts: 1 })
    expect([shown?.reason, shown?.nextAttemptAt]).toEqual([before.lastError, before.nextAttemptAt])
    running.wallet.intercept(id, () => Response.json({ id, status: 'confirmed', txHash: hashOf(id), reason: null }))
    const answer = await retry(id, await running.ledger.as({ kind: 'user', subject: 'anna' }), { note: 'it is back' })
    expect(answer.status).toBe(200)
    expect(Date.parse(answer.body.nextAttemptAt)).toBeLessThanOrEqual(Date.now())
    await running.reached(id, 'COMPLETED')
    expect((await stuck()).some((one) => one.id === id)).toBe(false)
    const { body } = await running.ledger.ask('GET', `/transactions/${id}/decisions`)
    expect(body).toEqual([
      { decision: 'RETRIED', actor: { kind: 'user', id: 'anna' }, note: 'it is back', at: expect.any(String) },
    ])
  })

  test('a retry while an attempt is under way starts no other', async () => {
    const id = await running.withdraw(await running.funded('10'), '1')
    const { promise, resolve } = Promise.withResolvers<void>()
    let orders = 0
    running.wallet.intercept(id, async () => {
      orders += 1
      await promise
      return Response.json({ id, status: 'confirmed', txHash: hashOf(id), reason: null })
    })
    await running.screen(id, true)
    await until(() => orders === 1)
    for (let i = 0; i < 3; i++) expect((await retry(id)).status).toBe(200)
    expect((await execution(id)).underWayUntil).not.toBeNull()
    resolve()
    await running.reached(id, 'COMPLETED')
    expect(orders).toBe(1)
  })

  test('400 for one that is not approved, 404 for none, 400 for no UUID', async () => {
    const id = await running.withdraw(await running.funded('10'), '1')
    const { status, body } = await retry(id)
    expect([status, body.message]).toEqual([400, `Transaction ${id} is PENDING; only an APPROVED one is carried out`])
    expect((await retry(nowhere)).status).toBe(404)
    expect((await retry('7')).status).toBe(400)
    expect((await running.ledger.ask('GET', `/transactions/${id}/decisions`)).body).toEqual([])
  })

  test('stuck: in pages, oldest first, with a failed one that was paid', async () => {
    const ids = [await failing(), await failing()]
    const paid = await running.withdraw(await running.funded('10'), '1')
    const alarm = {
      transactionId: paid,
      ...waitingSince(new Date()),
      dueAt: null,
      contradiction: 'confirmed 0xabc',
      otherTerms: false,
    }
    await running.ledger.store.commit(async (tx) => void (await tx.insert(failedWithdrawals).values(alarm)))
    const all = (await stuck()).map((one) => one.id)
    expect(all.slice(-3)).toEqual([...ids, paid])
    expect((await stuck(`?after=${ids[0]}`)).map((one) => one.id)).toEqual([ids[1] ?? '', paid])
    expect((await stuck(`?after=${ids[1]}`))[0]).toMatchObject({ status: 'FAILED', nextAttemptAt: null })
    expect((await stuck('?limit=1')).map((one) => one.id)).toEqual(all.slice(0, 1))
    expect((await running.ledger.ask('GET', '/transactions/stuck?limit=1000')).status).toBe(400)
  })
})

test('one that only waits is stuck after a quarter of an hour', async () => {
  const clock = fixedClock('2100-01-01T00:00:00.000Z')
  const ledger = await openLedger({ tuning: { now: clock } })
  const bench = await makeBench(ledger, '10')
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, '1', { destinationAddress: outside }))
  await screen(ledger, id, true)
  const stuck = async () => (await ledger.ask<Tx[]>('GET', '/transactions/stuck')).body.map((one) => one.id)
  clock.advance(14 * 60_000)
  expect(await stuck()).toEqual([])
  clock.advance(2 * 60_000)
  expect(await stuck()).toEqual([id])
  await ledger.close()
})
