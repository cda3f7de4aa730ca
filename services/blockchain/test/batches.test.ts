// Calls for many orders at once: each has its own outcome, as if it had come alone.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mostInBatch } from '@bursar/contracts/batch'
import type { SendState } from '@bursar/contracts/blockchain'
import { until } from '@bursar/testing'
import { startSending } from '../src/sends/sending'
import { senders, sends } from '../src/sends/sends.table'
import { bob, fresh, hot, newSend, type TestBlockchain, testBlockchain } from './harness'
import { refusal, signSimulated, testWallet } from './wallet'

let service: TestBlockchain
beforeAll(async () => {
  service = await testBlockchain({ workers: false })
})
afterAll(() => service.stop())

type Answers<A> = { items: (A | null)[] }
const startMany = (items: unknown[], on = service) => on.internal<Answers<SendState>>('POST', '/sends/batch', { items })
const statesOf = async (items: string[]) =>
  (await service.internal<Answers<SendState>>('POST', '/sends/states', { items })).body.items

test('a sender whose queue was empty is woken for its next ones, and a new one in the same batch begins', async () => {
  const own = await testBlockchain()
  const [known, other] = [fresh(), fresh()]
  for (const address of [known, other]) await own.payIn(address, '100')
  const first = newSend({ from: known })
  await own.internal('POST', '/sends', first)
  await own.reached(first.id, 'confirmed')
  await until(async () => (await own.deps.store.read.select().from(senders)).every(({ dueAt }) => dueAt === null))
  const items = [known, other, known].map((from) => newSend({ from }))
  await startMany(items, own)
  for (const { id } of items) await own.reached(id, 'confirmed')
  await own.stop()
})

describe('POST /internal/sends/batch', () => {
  test('what can never be sent is recorded as failed, and its neighbours are taken', async () => {
    const orders = [newSend(), newSend({ to: 'somewhere' }), newSend({ network: 'no/net' }), newSend()]
    const { status, body } = await startMany(orders)
    expect([status, body.items.map((each) => each?.status)]).toEqual([
      200,
      ['accepted', 'failed', 'failed', 'accepted'],
    ])
    expect(body.items.map((each) => each?.id)).toEqual(orders.map(({ id }) => id))
    expect(await statesOf(orders.map(({ id }) => id))).toEqual(body.items)
    const told = await Promise.all(orders.map(({ id }) => service.states(id)))
    expect(told).toEqual([[], ['failed'], ['failed'], []])
  })

  test('again, doubled and in another order, when its answer was lost: nothing is recorded twice', async () => {
    const [one, two] = [newSend(), newSend()]
    const first = await startMany([one, two])
    const later = newSend()
    const again = await startMany([{ ...two, amount: '5' }, later, one, later])
    expect(again.body.items[0]).toEqual(first.body.items[1] ?? null)
    expect(again.body.items[2]).toEqual(first.body.items[0] ?? null)
    const recorded = (await service.deps.store.read.select().from(sends)).map(({ id }) => id)
    for (const { id } of [one, two, later]) expect(recorded.filter((each) => each === id)).toEqual([id])
    // Nobody is told of an order but its sender, by the answer: the list of changes begins with its broadcast.
    const { items } = (await service.internal('GET', '/sends/changes')).body
    const listed = items.map(({ record }: { record: SendState }) => record.id)
    for (const { id } of [one, two, later]) expect(listed).not.toContain(id)
  })

  test('400 and nothing is recorded: none, more than a call may carry, one that is no order at all', async () => {
    const good = newSend()
    const many = Array.from({ length: mostInBatch + 1 }, () => newSend())
    for (const items of [[], many, [good, { ...newSend(), amount: '1.5' }]]) {
      expect((await startMany(items)).status).toBe(400)
    }
    expect(await statesOf([good.id, many[0]?.id ?? ''])).toEqual([null, null])
  })

  test('401 for callers other than a service, of all batch calls', async () => {
    for (const [path, item] of [
      ['sends/batch', newSend()],
      ['sends/states', newSend().id],
      ['holdings/ethereum', bob],
    ] as const) {
      expect((await service.post(`/internal/${path}`, { items: [item] })).status).toBe(401)
    }
  })
})

test('POST /internal/holdings/:network: null for what is no address of the network', async () => {
  const address = `0x${'b7'.repeat(20)}`
  await service.payIn(address, '3')
  const { body } = await service.internal<Answers<object[]>>('POST', '/holdings/ethereum', {
    items: [address, 'nowhere', `0x${'b8'.repeat(20)}`],
  })
  expect(body.items).toEqual([[{ contractAddress: null, amount: `${3n * 10n ** 18n}`, decimals: 18 }], null, []])
})

describe('signatures that are asked for together', () => {
  /** So many orders that wait when the sending begins, and a wallet service that signs them. */
  async function waiting(count: number) {
    const wallet = testWallet()
    const own = await testBlockchain({ wallet, workers: false })
    await own.payIn(hot, `${count}`)
    const orders = Array.from({ length: count }, () => newSend())
    const { body } = await startMany(orders, own)
    expect(body.items.every((each) => each?.status === 'accepted')).toBe(true)
    return { own, wallet, orders, ids: orders.map(({ id }) => id) }
  }
  const calls = (wallet: ReturnType<typeof testWallet>, path: string) =>
    wallet.server.requests.filter((request) => request.path === `/internal/${path}`).length

  test('go in one call, and each order has its own nonce, once', async () => {
    const { own, wallet, ids } = await waiting(mostInBatch)
    const sending = startSending(own.deps)
    await Promise.all(ids.map((id) => own.reached(id, 'confirmed')))
    expect([calls(wallet, 'sign-transactions'), calls(wallet, 'sign-transaction')]).toEqual([1, 0])
    const nonces = wallet.signed.map(({ unsigned }) => JSON.parse(unsigned).nonce as number)
    expect(nonces.sort((a, b) => a - b)).toEqual(ids.map((_, i) => i))
    await sending.stop()
    await own.stop()
  })

  test('half of them refused permanently: those fail, and the others go on with their nonces', async () => {
    const { own, wallet, ids } = await waiting(10)
    const refused = new Set(ids.filter((_, i) => i % 2 === 1))
    wallet.sign = (order) => {
      if (refused.has(order.orderId)) throw refusal(422, 'not of its order')
      return signSimulated(order)
    }
    const sending = startSending(own.deps)
    for (const id of ids) await own.reached(id, refused.has(id) ? 'failed' : 'confirmed')
    expect((await own.get(`/addresses/${bob}`)).body.data[0].amount).toBe('5')
    await sending.stop()
    await own.stop()
  })

  test('are asked for one by one of a wallet service that knows no such call', async () => {
    const { own, wallet, ids } = await waiting(5)
    wallet.batches = false
    const sending = startSending(own.deps)
    await Promise.all(ids.map((id) => own.reached(id, 'confirmed')))
    expect(calls(wallet, 'sign-transaction')).toBe(5)
    await sending.stop()
    await own.stop()
  })

  test('a lost answer leaves all of them to be signed anew, and nothing is sent twice', async () => {
    const { own, wallet, ids } = await waiting(5)
    let lost = 0
    wallet.sign = (order) => {
      lost += 1
      return signSimulated(order)
    }
    wallet.lostBatches = 1
    const sending = startSending(own.deps)
    await Promise.all(ids.map((id) => own.reached(id, 'confirmed')))
    expect(lost).toBe(10)
    expect((await own.get(`/addresses/${bob}`)).body.data[0].amount).toBe('5')
    await sending.stop()
    await own.stop()
  })
})
