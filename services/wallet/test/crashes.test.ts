import { describe, expect, test } from 'bun:test'
import type { SendState } from '@bursar/contracts/blockchain'
import { silentLog } from '@bursar/contracts/log'
import type { ChangeMark } from '@bursar/contracts/replica'
import { until } from '@bursar/testing'
import { carryOut } from '../src/orders/carry-out'
import { findOrder, orderQueue } from '../src/orders/orders'
import { fundedAccount, moveSend, order, sendChanged, start, state, txHash } from './orders'
import { type Own, ownWallets } from './own-wallets'

let peers: Own['peers']
let service: Own['service']
const { restart } = ownWallets((own) => {
  ;({ peers, service } = own)
})

const minute = 61_000
const sends = () => peers.calls('POST', '/internal/sends')
const isSend = ({ method, url }: Request) => method === 'POST' && new URL(url).pathname === '/internal/sends'

async function accepted() {
  const { accountId } = await fundedAccount(service, peers)
  const body = order({ accountId })
  await start(service, body)
  return body.id
}

/** What the blockchain service has signed by the payer, as it would be. */
const unsigned = (id: string) => {
  const sent = peers.sends.get(id)?.order
  if (!sent) throw new Error(`${id} was not handed over`)
  const { network, from, to, contractAddress, amount } = sent
  return {
    from,
    body: {
      orderId: id,
      network,
      signers: [from],
      unsigned: JSON.stringify({ orderId: id, network, from, to, contractAddress, amount, nonce: 0 }),
    },
  }
}
const sign = (id: string) => service.post('/internal/sign-transaction', unsigned(id).body, service.chain)

describe('an order survives a crash', () => {
  test('after it was accepted', async () => {
    const id = await accepted()
    await restart()
    await service.drive()
    expect(peers.sends.has(id)).toBe(true)
  })

  test('while a worker leases it: another one claims it when the lease ends', async () => {
    const id = await accepted()
    const gate = Promise.withResolvers<void>()
    peers.fault((request, usual) => (isSend(request) ? gate.promise.then(usual) : undefined))
    const begunAt = Date.now()
    const dying = service.drive().catch(() => {})
    await until(() => sends() === 1)
    await restart()
    peers.fault(null)
    // The lease does not end on the way here.
    await service.drive(begunAt - Date.now())
    expect(peers.sends.has(id)).toBe(false)
    await service.drive(minute)
    expect(peers.sends.has(id)).toBe(true)
    gate.resolve()
    await dying
    expect(peers.sends.size).toBe(1)
  })

  test('after the payer was chosen, before it is sent', async () => {
    const id = await accepted()
    peers.fault((request) => (isSend(request) ? new Response('', { status: 500 }) : undefined))
    await service.drive()
    peers.fault(null)
    await restart()
    await service.drive(minute)
    expect(peers.sends.has(id)).toBe(true)
  })

  test('after it was sent, when the answer is lost: it is sent again under the same id', async () => {
    const id = await accepted()
    peers.fault((request, usual) =>
      isSend(request) ? usual().then(() => new Response('', { status: 502 })) : undefined,
    )
    await service.drive()
    peers.fault(null)
    expect(peers.sends.has(id)).toBe(true)
    await restart()
    await service.drive(minute)
    expect([sends(), peers.sends.size]).toEqual([2, 1])
  })

  test('after it was signed: its state is read, and it is never sent again', async () => {
    const id = await accepted()
    peers.fault((request, usual) =>
      isSend(request) ? usual().then(() => new Response('', { status: 502 })) : undefined,
    )
    await service.drive()
    peers.fault(null)
    expect((await sign(id)).status).toBe(200)
    await restart()
    await service.drive(minute)
    expect(sends()).toBe(1)
    expect(peers.calls('GET', `/internal/sends/${id}`)).toBe(1)
  })

  test('that loses the events: it polls', async () => {
    const id = await accepted()
    await service.drive()
    await moveSend(service, peers, { id, status: 'broadcast', txHash: txHash() }, { event: false })
    await restart()
    await service.drive(minute)
    expect(await state(service, id)).toMatchObject({ status: 'broadcast', txHash: txHash() })
    await moveSend(service, peers, { id, status: 'confirmed', txHash: txHash(2) }, { event: false })
    await service.drive(2 * minute)
    expect(await state(service, id)).toMatchObject({ status: 'confirmed', txHash: txHash(2) })
  })

  test('and so does a tombstone', async () => {
    const { accountId } = await fundedAccount(service, peers)
    const body = order({ accountId })
    await service.post(`/internal/withdrawals/${body.id}/refuse`, { reason: 'gone' }, service.ledger)
    await restart()
    expect(await start(service, body)).toMatchObject({ status: 'failed', reason: 'gone' })
    await service.drive(minute)
    expect(peers.sends.size).toBe(0)
  })
})

describe('a blockchain service that has forgotten an order', () => {
  test('gets it again when it was never signed: nothing can have been paid', async () => {
    const id = await accepted()
    await service.drive()
    peers.sends.delete(id)
    await service.drive(minute)
    expect(peers.sends.has(id)).toBe(true)
  })

  test('does not get it again once it was signed: it may have been paid', async () => {
    const id = await accepted()
    await service.drive()
    expect((await sign(id)).status).toBe(200)
    peers.sends.delete(id)
    for (let later = minute; later < 10 * minute; later += minute) await service.drive(later)
    expect(peers.sends.has(id)).toBe(false)
    expect(await state(service, id)).toMatchObject({ status: 'accepted' })
  })
})

describe('states only move forward', () => {
  test('a reorganisation does not change the state, and the hash of a replacement is the new one', async () => {
    const id = await accepted()
    await service.drive()
    await moveSend(service, peers, { id, status: 'broadcast', txHash: txHash(1) })
    await moveSend(service, peers, { id, status: 'accepted', txHash: null })
    expect(await state(service, id)).toMatchObject({ status: 'broadcast', txHash: txHash(1) })
    await moveSend(service, peers, { id, status: 'broadcast', txHash: txHash(2) })
    expect(await state(service, id)).toMatchObject({ status: 'broadcast', txHash: txHash(2) })
  })

  test('an event of an older state, the same one again, or one from before a restore changes nothing', async () => {
    const id = await accepted()
    await service.drive()
    const say = (event: Pick<SendState, 'status' | 'txHash'> & ChangeMark) =>
      service.consume(sendChanged({ id, reason: null, ...event }))
    await say({ status: 'broadcast', txHash: txHash(2), epoch: 2, version: 5 })
    await say({ status: 'broadcast', txHash: txHash(1), epoch: 2, version: 4 })
    await say({ status: 'broadcast', txHash: txHash(2), epoch: 2, version: 5 })
    await say({ status: 'broadcast', txHash: txHash(3), epoch: 1, version: 9 })
    await say({ status: 'failed', txHash: null, epoch: 1, version: 10 })
    await service.drive()
    expect(await state(service, id)).toMatchObject({ status: 'broadcast', txHash: txHash(2) })
    await say({ status: 'confirmed', txHash: txHash(2), epoch: 1, version: 2 })
    expect(await state(service, id)).toMatchObject({ status: 'confirmed', txHash: txHash(2) })
  })

  test('a failure from an epoch before a restore ends nothing: the blockchain service is asked', async () => {
    const id = await accepted()
    await service.drive()
    await moveSend(service, peers, { id, status: 'broadcast', txHash: txHash() }, { event: false })
    await service.consume(sendChanged({ id, status: 'failed', txHash: null, reason: 'refused' }))
    expect(await state(service, id)).toMatchObject({ status: 'accepted' })
    await service.drive()
    expect(await state(service, id)).toMatchObject({ status: 'broadcast', txHash: txHash() })
  })

  test('the blockchain service is asked if an event has another hash than an answer', async () => {
    const id = await accepted()
    await service.drive()
    await moveSend(service, peers, { id, status: 'broadcast', txHash: txHash(2) }, { event: false })
    await service.drive(61_000)
    expect(await state(service, id)).toMatchObject({ status: 'broadcast', txHash: txHash(2) })
    await service.consume(sendChanged({ id, status: 'broadcast', txHash: txHash(1), reason: null }))
    expect(await state(service, id)).toMatchObject({ status: 'broadcast', txHash: txHash(2) })
    // What an event has told before is not compared with what an answer said since.
    await moveSend(service, peers, { id, status: 'broadcast', txHash: txHash(2) })
    await moveSend(service, peers, { id, status: 'broadcast', txHash: txHash(3) }, { event: false })
    await service.drive(122_000)
    await service.consume(sendChanged({ id, status: 'broadcast', txHash: txHash(1), reason: null }))
    expect(await state(service, id)).toMatchObject({ status: 'broadcast', txHash: txHash(3) })
  })

  test('an event for an order of another service is ignored', async () => {
    const id = await accepted()
    await service.drive()
    const send = peers.sends.get(id)
    if (send) peers.sends.set('x', { ...send, state: { ...send.state, id: Bun.randomUUIDv7() } })
    await moveSend(service, peers, { id: 'x', status: 'confirmed', txHash: txHash() }).catch(() => {})
    expect(await state(service, id)).toMatchObject({ status: 'accepted' })
  })

  test('an impossible state changes nothing: sent without a hash', async () => {
    const id = await accepted()
    await service.drive()
    await moveSend(service, peers, { id, status: 'confirmed', txHash: null })
    await service.drive()
    expect(await state(service, id)).toMatchObject({ status: 'accepted' })
  })
})

test('concurrent workers send an order once', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, accepted))
  await Promise.all([service.drive(), service.drive(), service.drive()])
  expect(sends()).toBe(10)
  expect([...peers.sends.keys()].sort()).toEqual([...ids].sort())
})

test('the finding of an attempt that outlives its lease is recorded, and the other attempt continues', async () => {
  const id = await accepted()
  const { deps } = service
  const claim = async (aheadMs: number) => {
    const [row] = await orderQueue.claim(deps.store, { now: new Date(Date.now() + aheadMs), limit: 1 })
    if (!row) throw new Error('It is not due')
    return row
  }
  const [slow, other] = [await claim(0), await claim(16_000)]
  await carryOut(deps, [slow])
  expect(await findOrder(deps.store.read, id)).toMatchObject({ handedAt: expect.any(Date), attempts: 1 })
  await deps.store.commit((tx) => orderQueue.assertHeld(tx, [other]))
})

describe('a clock that jumps', () => {
  const year = 365 * 24 * 60 * 60 * 1000
  const claim = (now: Date) => orderQueue.claim(service.deps.store, { now, limit: 10 })

  test('a year ahead for one read, and back: a waiting order is retried soon', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'polygon')
    const { id } = await start(service, order({ accountId }))
    await service.drive(year)
    peers.hold('polygon', address, { native: (10n ** 20n).toString() })
    await service.drive()
    expect(peers.sends.has(id)).toBe(true)
  })

  test('while an order was leased, and its worker died: another one claims it', async () => {
    const id = await accepted()
    expect(await claim(new Date(Date.now() + year))).toHaveLength(1)
    await service.drive()
    expect(peers.sends.has(id)).toBe(true)
  })

  test('an order that is due within the longest pause is not changed', async () => {
    const accountId = peers.account()
    await start(service, order({ accountId }))
    await service.drive()
    expect(await claim(new Date(Date.now() - 30_000))).toEqual([])
  })
})

test('an order that ends during an attempt is not changed, and nothing is logged', async () => {
  const errors: unknown[] = []
  const error = (...words: unknown[]) => void errors.push(words)
  await restart(() => {}, { ...silentLog, error })
  const id = await accepted()
  peers.fault(async (request, usual) => {
    if (!isSend(request)) return usual()
    const answer = await usual()
    await moveSend(service, peers, { id, status: 'confirmed', txHash: txHash() })
    return answer
  })
  await service.drive()
  peers.fault(null)
  expect(await state(service, id)).toMatchObject({ status: 'confirmed', txHash: txHash() })
  expect(errors).toEqual([])
})
