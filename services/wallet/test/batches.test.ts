// Calls for many orders at once: each has its own outcome, as if it had come alone.
import { describe, expect, test } from 'bun:test'
import { mostInBatch } from '@bursar/contracts/batch'
import { WithdrawalChanged, type WithdrawalState } from '@bursar/contracts/wallet'
import { until } from '@bursar/testing'
import { orders as orderTable } from '../src/orders/orders.table'
import { expectStatus } from './harness'
import { fundedAccount, moveSend, order, sendChanged, start, state, txHash } from './orders'
import { type Own, ownWallets } from './own-wallets'

let peers: Own['peers']
let service: Own['service']
const { restart } = ownWallets((own) => {
  ;({ peers, service } = own)
})

type Answers<A> = { items: (A | null)[] }
const startMany = (items: unknown[]) => service.post('/internal/withdrawals/batch', { items }, service.ledger)
const started = async (items: unknown[]) => expectStatus<Answers<WithdrawalState>>(await startMany(items), 200).items
const records = async (items: string[]) =>
  expectStatus<Answers<WithdrawalState>>(
    await service.post('/internal/withdrawals/records', { items }, service.ledger),
    200,
  ).items
const accepted = ({ id }: { id: string }): WithdrawalState => ({ id, status: 'accepted', txHash: null, reason: null })
const recorded = async () => (await service.deps.store.read.select().from(orderTable)).map(({ id }) => id)
const said = async () =>
  (await service.eventsNamed(WithdrawalChanged.name)).map(({ data }) => (data as WithdrawalState).id)

describe('POST /internal/withdrawals/batch', () => {
  test('an order that cannot be executed is recorded as failed, and its neighbours are accepted', async () => {
    const orders = [order(), order({ destinationAddress: 'nowhere' }), order({ amount: '0' }), order()]
    const [first, second, third, fourth] = await started(orders)
    expect([first, fourth]).toEqual([orders[0], orders[3]].map((each) => accepted(each ?? { id: '' })))
    expect([second?.status, third?.status]).toEqual(['failed', 'failed'])
    expect([second?.reason, third?.reason]).toEqual([
      expect.stringContaining('destinationAddress'),
      expect.stringContaining('amount'),
    ])
    expect(await records(orders.map(({ id }) => id))).toEqual([first, second, third, fourth] as WithdrawalState[])
    expect((await recorded()).sort()).toEqual(orders.map(({ id }) => id).sort())
    // That it was accepted the answer has said.
    expect((await said()).sort()).toEqual(
      orders
        .slice(1, 3)
        .map(({ id }) => id)
        .sort(),
    )
  })

  test('each event is found under the id of its order', async () => {
    const orders = [order({ amount: '0' }), order({ amount: '0' })]
    await started(orders)
    const events = await service.eventsNamed(WithdrawalChanged.name)
    expect(events).toHaveLength(2)
    expect(events.map(({ requestId }) => requestId)).toEqual(events.map(({ data }) => (data as WithdrawalState).id))
  })

  test('again, in another sequence and with others in between, after its answer was lost: nothing is recorded twice', async () => {
    const [one, two, three] = [order(), order(), order({ destinationAddress: 'nowhere' })]
    const before = await started([one, two, three])
    const later = order()
    const after = await started([three, later, { ...two, amount: '7' }, one])
    expect(after).toEqual([before[2] ?? null, accepted(later), before[1] ?? null, before[0] ?? null])
    expect(await recorded()).toHaveLength(4)
    expect(await said()).toEqual([three.id])
  })

  test('one id twice in a batch is one order: the first one', async () => {
    const { accountId } = await fundedAccount(service, peers)
    const one = order({ accountId })
    expect(await started([one, { ...one, destinationAddress: 'nowhere' }, one])).toEqual(
      [1, 2, 3].map(() => accepted(one)),
    )
    await service.drive()
    expect([...peers.sends.keys()]).toEqual([one.id])
    expect(await recorded()).toEqual([one.id])
  })

  test('a refused id in a batch stays refused', async () => {
    const [one, two] = [order(), order()]
    await service.post(`/internal/withdrawals/${one.id}/refuse`, { reason: 'gone' }, service.ledger)
    const answers = await started([one, two])
    expect(answers[0]).toMatchObject({ status: 'failed', reason: 'gone' })
    expect(answers[1]).toEqual(accepted(two))
  })

  test('400 and nothing is recorded: no orders, too many, an invalid one', async () => {
    const good = order()
    const many = Array.from({ length: mostInBatch + 1 }, () => order())
    for (const items of [[], many, [good, { ...order(), decimals: 'x' }]]) {
      expect((await startMany(items)).status).toBe(400)
    }
    expect(await records([good.id, ...many.slice(0, 3).map(({ id }) => id)])).toEqual([null, null, null, null])
    expect(await started(many.slice(1))).toHaveLength(mostInBatch)
  })

  test('401 for anybody but a service, of all batch calls', async () => {
    for (const path of ['withdrawals/batch', 'withdrawals/records', 'sign-transactions']) {
      const items =
        path === 'withdrawals/records' ? [order().id] : path === 'sign-transactions' ? [unsigned(order())] : [order()]
      expect((await service.post(`/internal/${path}`, { items })).status).toBe(401)
    }
  })

  test('survives the end of the process before its answer: every order is executed, once', async () => {
    const { accountId } = await fundedAccount(service, peers, 10n ** 20n)
    const orders = Array.from({ length: 20 }, () => order({ accountId }))
    void startMany(orders).catch(() => {})
    // It is on the disk, and the answer is never looked at.
    await until(async () => (await recorded()).length === 20)
    await restart()
    expect((await started(orders)).map((each) => each?.status)).toEqual(orders.map(() => 'accepted'))
    await service.drive()
    expect([...peers.sends.keys()].sort()).toEqual(orders.map(({ id }) => id).sort())
    expect(peers.calls('POST', '/internal/sends')).toBe(20)
  })
})

test('POST /internal/withdrawals/records: null for unknown ids', async () => {
  const one = order()
  await start(service, one)
  expect(await records([one.id, Bun.randomUUIDv7(), one.id.toUpperCase()])).toEqual([
    accepted(one),
    null,
    accepted(one),
  ])
})

const unsigned = (
  { id, network, destinationAddress }: { id: string; network: string; destinationAddress: string },
  from = 'x',
) => ({
  orderId: id,
  network,
  signers: [from],
  unsigned: JSON.stringify({
    orderId: id,
    network,
    from,
    to: destinationAddress,
    contractAddress: null,
    amount: `${15n * 10n ** 17n}`,
  }),
})

describe('POST /internal/sign-transactions', () => {
  const sign = (items: unknown[]) => service.post('/internal/sign-transactions', { items }, service.chain)
  const signedIds = async () => {
    const rows = await service.deps.store.read.select().from(orderTable)
    return rows.filter(({ signedAt }) => signedAt !== null).map(({ id }) => id)
  }

  test('half of them refused: each separately, as if alone; a refused one is not marked as signed', async () => {
    const { accountId, address } = await fundedAccount(service, peers, 10n ** 20n)
    const orders = Array.from({ length: 6 }, () => order({ accountId }))
    await started(orders)
    await service.drive()
    const items = orders.map((each, i) => {
      const right = unsigned(each, address)
      return i % 2 === 0 ? right : { ...right, unsigned: right.unsigned.replace(each.destinationAddress, '0xother') }
    })
    const { items: answers } = expectStatus<Answers<{ signed: string; txHash: string }>>(await sign(items), 200)
    expect(answers.map((each) => each !== null)).toEqual([true, false, true, false, true, false])
    for (const [i, item] of items.entries()) {
      const alone = await service.post('/internal/sign-transaction', item, service.chain)
      expect(alone.status).toBe(i % 2 === 0 ? 200 : 422)
      if (i % 2 === 0) expect(alone.body).toEqual(answers[i])
    }
    expect((await signedIds()).sort()).toEqual(orders.flatMap(({ id }, i) => (i % 2 === 0 ? [id] : [])).sort())
  })

  test('an unknown order and one that has ended are refused, their neighbour is signed', async () => {
    const { accountId, address } = await fundedAccount(service, peers)
    const [good, bad] = [order({ accountId }), order({ destinationAddress: 'nowhere' })]
    await started([good, bad])
    await service.drive()
    const { items } = expectStatus<Answers<object>>(
      await sign([unsigned(order(), address), unsigned(bad, address), unsigned(good, address)]),
      200,
    )
    expect(items.map((each) => each !== null)).toEqual([false, false, true])
  })
})

test('an order that ends while the ledger is asked is not signed, and its neighbours are', async () => {
  const { accountId, address } = await fundedAccount(service, peers, 10n ** 20n)
  const orders = Array.from({ length: 3 }, () => order({ accountId }))
  await started(orders)
  await service.drive()
  const ended = orders[1]?.id ?? ''
  const refuse = () => service.post(`/internal/withdrawals/${ended}/refuse`, { reason: 'gone' }, service.ledger)
  let asked = false
  peers.fault(async (request, usual) => {
    if (!asked && request.url.includes('/internal/authorisations')) {
      asked = true
      expectStatus(await refuse(), 200)
    }
    return await usual()
  })
  const items = orders.map((each) => unsigned(each, address))
  const answer = await service.post('/internal/sign-transactions', { items }, service.chain)
  peers.fault(null)
  expect(expectStatus<Answers<object>>(answer, 200).items.map((each) => each !== null)).toEqual([true, false, true])
  const [row] = (await service.deps.store.read.select().from(orderTable)).filter(({ id }) => id === ended)
  expect(row).toMatchObject({ status: 'failed', signedAt: null })
  expect((await service.post('/internal/sign-transaction', items[1], service.chain)).status).toBe(422)
})

describe('orders that are sent together', () => {
  test('need few calls, and one that the blockchain service cannot accept does not delay the others', async () => {
    const { accountId } = await fundedAccount(service, peers, 10n ** 20n)
    const orders = Array.from({ length: 30 }, () => order({ accountId }))
    await started(orders)
    const bad = orders[7]?.id ?? ''
    peers.fault((request, usual) =>
      new URL(request.url).pathname === '/internal/sends'
        ? request
            .clone()
            .json()
            .then((body) => ((body as { id: string }).id === bad ? new Response('', { status: 500 }) : usual()))
        : undefined,
    )
    await service.drive()
    expect(peers.sends.size).toBe(29)
    expect(peers.sends.has(bad)).toBe(false)
    expect(await state(service, bad)).toMatchObject({ status: 'accepted' })
    peers.fault(null)
    await service.drive(61_000)
    expect(peers.sends.size).toBe(30)
    // Each once, and the bad one twice in the first round: with the others, and alone.
    expect(peers.calls('POST', '/internal/sends')).toBe(32)
  })

  test('are sent one by one to a blockchain service without that call', async () => {
    const { accountId } = await fundedAccount(service, peers, 10n ** 20n)
    const orders = Array.from({ length: 5 }, () => order({ accountId }))
    await started(orders)
    const { server } = peers
    const before = server.requests.length
    peers.batches = false
    await service.drive()
    expect(peers.sends.size).toBe(5)
    expect(server.requests.slice(before).some(({ path }) => path === '/internal/sends/batch')).toBe(true)
  })

  test('the event records that it was accepted if the answer was lost; an older event changes nothing', async () => {
    const { accountId } = await fundedAccount(service, peers, 10n ** 20n)
    const orders = [order({ accountId }), order({ accountId })]
    await started(orders)
    peers.lostBatches = 1
    await service.drive()
    const handed = async () => {
      const rows = await service.deps.store.read.select().from(orderTable)
      return rows.map(({ handedAt, updatedAt }) => handedAt && [handedAt.getTime(), updatedAt.getTime()])
    }
    expect(await handed()).toEqual([null, null])
    const sends = () =>
      orders.map(({ id }) => sendChanged({ id, status: 'broadcast', txHash: txHash(2), reason: null, version: 0 }))
    for (const { id } of orders) await moveSend(service, peers, { id, status: 'broadcast', txHash: txHash() })
    const times = await handed()
    expect(times.every((at) => at !== null)).toBe(true)
    for (const each of sends()) await service.consume(each)
    expect(await handed()).toEqual(times)
  })

  test('after a lost answer to a batch, the states are read, and orders are sent under the same ids', async () => {
    const { accountId } = await fundedAccount(service, peers, 10n ** 20n)
    const orders = Array.from({ length: 5 }, () => order({ accountId }))
    await started(orders)
    peers.lostBatches = 1
    await service.drive()
    expect(peers.sends.size).toBe(5)
    expect(await service.deps.store.read.$count(orderTable)).toBe(5)
    await service.drive(61_000)
    expect(peers.sends.size).toBe(5)
    expect((await Promise.all(orders.map(({ id }) => state(service, id)))).map(({ status }) => status)).toEqual(
      orders.map(() => 'accepted'),
    )
  })
})
