// Orders of participants are withdrawals of the ledger's: it holds, screens and decides; here they only follow it.
import { afterEach, describe, expect, test } from 'bun:test'
import { gt, param, prepared } from '@bursar/store'
import { localServer, tempDir, until } from '@bursar/testing'
import { giveBack, startOrdering, transactionQueue } from '../src/transactions/ordering'
import { transactions } from '../src/transactions/transactions.table'
import { hot, type TestBlockchain, testBlockchain } from './harness'
import { type TestLedger, testLedger } from './ledger'
import { participantId, participants, transfer, withdraw } from './paying'
import { refusal } from './wallet'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

interface Ordering {
  service: TestBlockchain
  ledger: TestLedger
  order(fields?: object): Promise<{ id: string; name: string }>
  look(name: string): Promise<Record<string, unknown>>
  /** Waits until an order reads so. */
  reads(name: string, fields: object): Promise<Record<string, unknown>>
}

async function ordering({
  ledger = testLedger(),
  dataDir = tempDir(),
  workers = true,
}: {
  ledger?: TestLedger
  dataDir?: string
  workers?: boolean
} = {}): Promise<Ordering> {
  const participant = localServer(participants)
  const urls = { participant: participant.url, 'core-ledger': ledger.server.url }
  const service = await testBlockchain({ urls, dataDir, workers })
  stops.push(() => participant.stop(), service.stop)
  const as = await service.asParticipant(participantId)
  const look: Ordering['look'] = async (name) =>
    (await service.post('/transactions/reference/transfer', { transactionId: name }, as)).body
  return {
    service,
    ledger,
    look,
    async order(fields) {
      const input = transfer(fields)
      const { status, body } = await service.post('/transactions/transfer', input, as)
      expect([status, body.status]).toEqual([201, 'pending'])
      return { id: body.id, name: input.transactionId }
    },
    reads: (name, fields) =>
      until(
        async () => {
          const found = await look(name)
          expect(found).toMatchObject(fields)
          return found
        },
        { what: `${name} to read ${JSON.stringify(fields)}` },
      ),
  }
}

const sendOf = ({ service, ledger }: Ordering, id: string) => {
  const { order, state } = ledger.orders.get(id) ?? {}
  if (!order || !state?.transactionId) throw new Error('no such order')
  return service.send({ id: state.transactionId, from: hot, to: order.destinationAddress, amount: '5' })
}

describe('an order', () => {
  test('goes to the ledger and never to the wallet service; it is pending while the ledger has not approved', async () => {
    const own = await ordering()
    const { id, name } = await own.order()
    await until(() => own.ledger.orders.has(id))
    for (const status of ['PENDING', 'FROZEN', 'APPROVED'] as const) {
      own.ledger.move(id, status)
      const asked = statesAsked(own.ledger)
      await until(() => statesAsked(own.ledger) > asked + 1)
      expect(await own.look(name)).toMatchObject({ status: 'pending', transactionHash: null })
    }
    expect(own.service.wallet.server.requests).toEqual([])
  })

  test('is broadcast with its send, and confirmed when the ledger has completed it, not before', async () => {
    const own = await ordering()
    await own.service.payIn(hot, '1')
    const { id, name } = await own.order()
    await until(() => own.ledger.orders.has(id))
    own.ledger.move(id, 'APPROVED')
    const { id: sendId } = await sendOf(own, id)
    const { txHash } = await own.service.reached(sendId, 'confirmed')
    await own.reads(name, { status: 'broadcast', transactionHash: txHash })
    own.ledger.move(id, 'COMPLETED')
    await own.reads(name, { status: 'confirmed', transactionHash: txHash, reason: null })
  })

  test.each([
    ['REJECTED', 'a reviewer refused it'],
    ['FAILED', 'the network would not have it'],
  ] as const)('is failed with the reason when the ledger has it %s', async (status, reason) => {
    const own = await ordering()
    const { id, name } = await own.order()
    await until(() => own.ledger.orders.has(id))
    own.ledger.move(id, status, reason)
    await own.reads(name, { status: 'failed', reason, transactionHash: null })
    const asked = statesAsked(own.ledger)
    const later = await own.order()
    await until(() => own.ledger.orders.has(later.id))
    await until(() => statesAsked(own.ledger) > asked)
    expect(lastAsked(own.ledger)).toEqual([later.id])
  })

  test('that the ledger refuses fails permanently with its reason, and is not requested again', async () => {
    const own = await ordering()
    own.ledger.judge = () => ({ status: null, reason: 'The account is suspended' })
    const { id, name } = await own.order()
    await own.reads(name, { status: 'failed', reason: 'The account is suspended' })
    own.ledger.judge = () => ({ status: 'PENDING', reason: null })
    const next = await own.order()
    await until(() => own.ledger.orders.has(next.id))
    expect([own.ledger.came.get(id), (await own.look(name)).status]).toEqual([1, 'failed'])
  })

  test('waits while the ledger is unavailable, and says why; an answer that was lost orders nothing twice', async () => {
    const own = await ordering()
    own.ledger.away.orders = refusal(503, 'not now')
    const { id, name } = await own.order()
    await own.reads(name, { status: 'pending', reason: 'not now' })
    own.ledger.away = {}
    await until(() => own.ledger.orders.has(id))
    expect(own.ledger.came.get(id)).toBeGreaterThan(1)
    await own.reads(name, { status: 'pending', reason: null })
  })

  test('that the ledger has lost is ordered again under its id, but never one that was sent', async () => {
    const own = await ordering()
    await own.service.payIn(hot, '1')
    const [unsent, sent] = [await own.order(), await own.order()]
    await until(() => own.ledger.orders.has(unsent.id) && own.ledger.orders.has(sent.id))
    await own.service.reached((await sendOf(own, sent.id)).id, 'confirmed')
    own.ledger.orders.clear()
    await until(() => own.ledger.orders.has(unsent.id))
    await own.reads(sent.name, { status: 'broadcast', reason: expect.stringMatching(/^The ledger does not know/) })
    const asked = statesAsked(own.ledger)
    await until(() => statesAsked(own.ledger) > asked + 2)
    expect([own.ledger.orders.has(sent.id), own.ledger.came.get(sent.id)]).toEqual([false, 1])
  })

  test('is followed after a restart', async () => {
    const ledger = testLedger()
    const dataDir = tempDir()
    const before = await ordering({ ledger, dataDir })
    const { id, name } = await before.order()
    await until(() => ledger.orders.has(id))
    await before.service.halt()
    await before.service.close()
    ledger.move(id, 'COMPLETED')
    stops.splice(1, 1)
    const after = await ordering({ ledger, dataDir })
    await after.reads(name, { status: 'confirmed' })
  })
})

describe('a clock that was a year ahead for one look', () => {
  const yearAhead = () => new Date(Date.now() + 365 * 86_400_000)

  test('puts no order off: neither its order at the ledger nor the following', async () => {
    const own = await ordering({ workers: false })
    const { id } = await own.order()
    const { store } = own.service.deps
    const claim = (now: Date) => transactionQueue.claim(store, { now, limit: 10 })
    expect((await claim(yearAhead())).map((row) => row.id)).toEqual([id])
    expect((await claim(new Date())).map((row) => row.id)).toEqual([id])
    expect(await claim(new Date())).toEqual([])
    // What was looked at under it is due a year ahead.
    const [row] = await claim(yearAhead())
    if (!row) throw new Error('not due')
    await store.commit((tx) => giveBack(tx, row, { ledgerId: 'x', status: 'ordered' }, yearAhead()))
    const [again] = await claim(new Date())
    expect(again?.id).toBe(id)
    // Nor is it looked at ever so often until that time has come.
    await store.commit(async (tx) => again && (await giveBack(tx, again, {}, new Date())))
    expect(await claim(new Date(Date.now() + 30_000))).toEqual([])
  })
})

test('an order is looked at ever later while nothing changes, a minute apart at the most', async () => {
  const own = await ordering({ workers: false })
  await own.order()
  const { store } = own.service.deps
  let now = Date.now()
  const claim = async () => (await transactionQueue.claim(store, { now: new Date(now), limit: 1 }))[0]
  const giveTo = (row: Awaited<ReturnType<typeof claim>>, looked: object) =>
    store.commit(async (tx) => row && (await giveBack(tx, row, looked, new Date(now))))
  await giveTo(await claim(), { ledgerId: 'x', status: 'ordered' })
  const pauses: number[] = []
  while (pauses.length < 18) {
    const begun = now
    let row = await claim()
    for (; !row; row = await claim()) now += 500
    pauses.push(now - begun)
    await giveTo(row, {})
  }
  expect(pauses[0]).toBe(1000)
  expect(pauses.at(-1)).toBe(60_000)
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
})

test('many orders are followed by calls for a hundred each', async () => {
  const own = await ordering({ workers: false })
  const names: string[] = []
  for (let i = 0; i < 120; i++) names.push((await own.order()).name)
  const workers = startOrdering(own.service.deps)
  stops.push(() => workers.stop())
  await until(() => own.ledger.orders.size === 120)
  for (const id of own.ledger.orders.keys()) own.ledger.move(id, 'COMPLETED')
  // The next question is answered once all orders that it does not ask about are due.
  const isLater = gt(transactions.dueAt, param('now'))
  const later = prepared((db) => db.select({ id: transactions.id }).from(transactions).where(isLater))
  const othersAreDue = async () => {
    const rows = await later(own.service.store.read).execute({ now: new Date() })
    return rows.length <= lastAsked(own.ledger).length
  }
  let due: Promise<unknown> | undefined
  own.ledger.refresh = async () => {
    due ??= until(othersAreDue)
    await due
  }
  const asked = statesAsked(own.ledger)
  for (const name of names) await own.reads(name, { status: 'confirmed' })
  expect(statesAsked(own.ledger) - asked).toBeLessThan(10)
})

test('the withdrawal of a payment to a bank bears the caller’s name for it', async () => {
  const own = await ordering()
  const as = await own.service.asParticipant(participantId)
  const { body } = await own.service.post('/transactions/withdraw', withdraw({ transactionId: 'rent' }), as)
  const { order } = (await until(() => own.ledger.orders.get(body.id))) ?? {}
  expect(order).toMatchObject({ amount: '5', destinationAddress: body.destinationAddress, reference: 'rent' })
})

const statesAsked = ({ server }: TestLedger): number =>
  server.requests.filter(({ path }) => path === '/internal/withdrawals/states').length
const lastAsked = ({ server }: TestLedger): string[] =>
  JSON.parse(server.requests.findLast(({ path }) => path === '/internal/withdrawals/states')?.body ?? '{}').items
