// Orders that the ledger has forgotten by a restore, or ended without this service's knowledge, end where that is safe.
import { describe, expect, test } from 'bun:test'
import type { KnownOrder } from '@bursar/contracts/wallet'
import { signatures } from '../src/orders/signatures.table'
import { expectStatus, nobody, refused } from './harness'
import { fundedAccount, order, start, state, stranger } from './orders'
import { type Own, ownWallets } from './own-wallets'
import { chainHash, handedOver, sign, toSign } from './signing'

let peers: Own['peers']
let service: Own['service']
const { held, restored, settle, waiting } = ownWallets((own) => {
  ;({ peers, service } = own)
})

const minute = 61_000
const other = `0x${'ab'.repeat(32)}`
const forget = (id: string) => void peers.ledger.booked.delete(id)
const end = (id: string, status: 'COMPLETED' | 'REJECTED' | 'FAILED', txHash: string | null = null) =>
  void peers.ledger.ended.set(id, { status, txHash })
const driveOn = async (rounds = 5) => {
  for (let ahead = 1; ahead <= rounds; ahead++) await service.drive(ahead * minute)
}
/** One that was signed once, with the fate of that signature. */
async function signedOnce(fate?: 'final' | 'reverted' | 'dead' | 'open') {
  const id = await handedOver(service, peers)
  const first = toSign(peers, id, 0)
  expectStatus(await sign(service, first), 200)
  const txHash = chainHash(first)
  if (fate) peers.fates.set(txHash, fate)
  return { id, txHash, second: toSign(peers, id, 1) }
}

describe('never signed, it has failed', () => {
  test.each([
    ['forgotten', forget, 'The core ledger does not know this withdrawal'],
    ['rejected', (id: string) => end(id, 'REJECTED'), 'The core ledger has it as REJECTED'],
    ['failed', (id: string) => end(id, 'FAILED'), 'The core ledger has it as FAILED'],
  ])('%s, when it is to be signed: 422, so that its send ends', async (_, disown, reason) => {
    const id = await handedOver(service, peers)
    disown(id)
    expect(refused(await sign(service, toSign(peers, id)), 422).message).toContain('has ended: failed')
    expect(await state(service, id)).toEqual({ id, status: 'failed', txHash: null, reason })
    expect(await service.deps.store.read.select().from(signatures)).toEqual([])
    refused(await sign(service, toSign(peers, id)), 422)
    expect(await held()).toEqual([])
  })

  test.each([
    ['no address can pay it', () => peers.holdings.clear()],
    ['the blockchain service is away', () => void peers.away.add('blockchain')],
  ])('while %s: the ledger is asked once it does not get on', async (_, spoil) => {
    const { accountId } = await fundedAccount(service, peers)
    spoil()
    const { id } = await start(service, order({ accountId }))
    forget(id)
    await service.drive()
    expect((await state(service, id)).status).toBe('accepted')
    await driveOn()
    expect(await state(service, id)).toMatchObject({ status: 'failed', reason: expect.stringContaining('not know') })
  })

  test('not while the ledger is unavailable, nor while it waits there for review', async () => {
    const id = await handedOver(service, peers)
    peers.away.add('core-ledger')
    forget(id)
    await driveOn()
    refused(await sign(service, toSign(peers, id)), 503)
    expect((await state(service, id)).status).toBe('accepted')
  })

  test('an order that waits only at the ledger waits here, with that reason', async () => {
    const id = await handedOver(service, peers)
    peers.ledger.obstacles.set(id, 'The withdrawal is FROZEN; only an APPROVED one is signed')
    await driveOn()
    refused(await sign(service, toSign(peers, id)), 409)
    expect(await state(service, id)).toMatchObject({ status: 'accepted', waitsFor: expect.stringContaining('FROZEN') })
    expect(await held()).toEqual([])
  })
})

describe('signed, it ends by the fate of its signature', () => {
  test.each([
    ['final', 'confirmed'],
    ['reverted', 'failed'],
    ['dead', 'failed'],
  ] as const)('%s: %s', async (fate, status) => {
    const { id, txHash, second } = await signedOnce(fate)
    forget(id)
    await driveOn()
    const hash = fate === 'dead' ? null : txHash
    expect(await state(service, id)).toMatchObject({ status, txHash: hash })
    refused(await sign(service, second), 422)
  })

  test('open: it waits, is listed, and is not signed until its fate is known', async () => {
    const { id, txHash, second } = await signedOnce('open')
    end(id, 'REJECTED')
    await driveOn()
    expect(await held()).toMatchObject([{ id, why: 'disowned', signed: [txHash] }])
    expect((await held())[0]?.waitsFor).toContain('may still be mined')
    expect(await waiting()).toEqual([expect.stringContaining('bun run wallet:held')])
    refused(await sign(service, second), 409)
    expect((await state(service, id)).waitsFor).toBeDefined()
    peers.fates.set(txHash, 'dead')
    await service.drive(10 * minute)
    expect(await state(service, id)).toMatchObject({ status: 'failed', reason: 'The core ledger has it as REJECTED' })
    expect([await held(), await waiting()]).toEqual([[], []])
  })

  test('open, and the ledger orders it again: it continues', async () => {
    const { id, txHash, second } = await signedOnce('open')
    const terms = peers.ledger.booked.get(id)
    forget(id)
    await driveOn()
    expect(await held()).toHaveLength(1)
    if (terms) peers.ledger.booked.set(id, terms)
    await service.drive(10 * minute)
    expect(await held()).toEqual([])
    peers.fates.set(txHash, 'dead')
    expectStatus(await sign(service, second), 200)
  })

  test('an operator fails it, but not while the ledger orders it, nor when it is paid', async () => {
    const { id, txHash } = await signedOnce('open')
    const terms = peers.ledger.booked.get(id)
    expect(refused(await settle(id, 'fail'), 404).message).toContain('does not wait')
    forget(id)
    await driveOn()
    if (terms) peers.ledger.booked.set(id, terms)
    expect(refused(await settle(id, 'fail'), 409).message).toContain('orders')
    forget(id)
    peers.fates.set(txHash, 'final')
    expect(refused(await settle(id, 'fail'), 422).message).toContain(txHash)
    peers.fates.set(txHash, 'open')
    expectStatus(await settle(id, 'fail'), 200)
    expect(await state(service, id)).toMatchObject({ status: 'failed', reason: expect.stringContaining('Given up') })
  })
})

describe('the ledger has it as COMPLETED', () => {
  test('by a transaction on the chain: it is confirmed by that, signed or not', async () => {
    const id = await handedOver(service, peers)
    const { payer } = expectStatus(await service.get(`/wallets/withdrawals/${id}`), 200)
    end(id, 'COMPLETED', other)
    expect(refused(await sign(service, toSign(peers, id)), 409).message).toContain('does not know the transaction')
    expect(await held()).toMatchObject([{ id, why: 'disowned' }])
    peers.transactions.set(other, { from: [stranger], to: [stranger], transfers: [] })
    refused(await sign(service, toSign(peers, id)), 409)
    peers.transactions.set(other, { from: [payer], to: [stranger], transfers: [] })
    refused(await sign(service, toSign(peers, id)), 422)
    expect(await state(service, id)).toEqual({ id, status: 'confirmed', txHash: other, reason: null })
  })

  test('by that also where its own signature was reverted', async () => {
    const { id } = await signedOnce('reverted')
    const { payer } = expectStatus(await service.get(`/wallets/withdrawals/${id}`), 200)
    peers.transactions.set(other, { from: [payer], to: [stranger], transfers: [] })
    end(id, 'COMPLETED', other)
    await driveOn()
    expect(await state(service, id)).toEqual({ id, status: 'confirmed', txHash: other, reason: null })
  })

  test('not while a signature of its own may still be mined, nor by the transaction of another order', async () => {
    const { id, txHash } = await signedOnce('open')
    const { payer } = expectStatus(await service.get(`/wallets/withdrawals/${id}`), 200)
    peers.transactions.set(other, { from: [payer], to: [stranger], transfers: [] })
    end(id, 'COMPLETED', other)
    await driveOn()
    expect((await state(service, id)).status).toBe('accepted')
    const second = await signedOnce('dead')
    end(second.id, 'COMPLETED', txHash)
    peers.transactions.set(txHash, { from: [payer], to: [stranger], transfers: [] })
    await driveOn(10)
    expect((await state(service, second.id)).status).toBe('accepted')
    expect((await held()).map((each) => each.id)).toEqual([id, second.id])
  })
})

describe('the ledger has it as COMPLETED, but the order does not end by that', () => {
  async function completedBy(txHash: string) {
    const id = await handedOver(service, peers)
    const { payer } = expectStatus(await service.get(`/wallets/withdrawals/${id}`), 200)
    peers.transactions.set(txHash, { from: [payer], to: [stranger], transfers: [] })
    end(id, 'COMPLETED', txHash)
    return id
  }

  test('when another order has ended by the same transaction', async () => {
    const first = await completedBy(other)
    refused(await sign(service, toSign(peers, first)), 422)
    const second = await completedBy(other)
    refused(await sign(service, toSign(peers, second)), 409)
    expect((await held()).map((each) => each.id)).toEqual([second])
  })

  test('when it is signed during the query to the chain', async () => {
    const id = await completedBy(other)
    let isFirst = true
    peers.fault(async (request, usual) => {
      if (!request.url.endsWith('/parties') || !isFirst) return await usual()
      isFirst = false
      peers.ledger.ended.delete(id)
      expectStatus(await sign(service, toSign(peers, id)), 200)
      end(id, 'COMPLETED', other)
      return await usual()
    })
    await service.drive(minute)
    await driveOn()
    expect(isFirst).toBe(false)
    expect((await state(service, id)).status).toBe('accepted')
    expect(await held()).toMatchObject([{ id, why: 'disowned', signed: [chainHash(toSign(peers, id))] }])
  })
})

test('an order from before a restore may lack signatures: it waits for an operator, who decides its end', async () => {
  const { accountId } = await fundedAccount(service, peers)
  const { id } = await start(service, order({ accountId }))
  await restored()
  forget(id)
  await driveOn()
  expect(await state(service, id)).toMatchObject({
    status: 'accepted',
    waitsFor: expect.stringContaining('wallet:held'),
  })
  expect(await held()).toMatchObject([{ id, why: 'restored' }])
  expect(await waiting()).toEqual(['1 orders from before a restore wait for an operator: bun run wallet:held'])
  expectStatus(await settle(id, 'release'), 200)
  await driveOn(12)
  expect((await state(service, id)).status).toBe('failed')
})

test('one that was accepted before, and is unknown here and there, waits for an operator, who fails it', async () => {
  const { accountId } = await fundedAccount(service, peers)
  const { id } = await start(service, order({ accountId, wasAccepted: true }))
  forget(id)
  await driveOn()
  expect((await state(service, id)).status).toBe('accepted')
  expectStatus(await settle(id, 'fail'), 200)
  expect((await state(service, id)).status).toBe('failed')
})

test('POST /internal/orders/known: orders of both kinds, only for the ledger and the blockchain service', async () => {
  const { accountId } = await fundedAccount(service, peers)
  const { id } = await start(service, order({ accountId }))
  const refusedId = Bun.randomUUIDv7()
  await service.post(`/internal/withdrawals/${refusedId}/refuse`, { reason: 'no' }, service.ledger)
  const body = { items: [id, nobody, refusedId] }
  const answer = await service.post('/internal/orders/known', body, service.ledger)
  expect(expectStatus<{ items: KnownOrder[] }>(answer, 200).items).toEqual([
    { id, kind: 'withdrawal', accountId, network: 'polygon', status: 'accepted', txHash: null },
    null as never,
    { id: refusedId, kind: 'withdrawal', accountId: null, network: null, status: 'failed', txHash: null },
  ])
  expect((await service.post('/internal/orders/known', body, service.chain)).status).toBe(200)
  for (const headers of [service.operator, {}]) {
    refused(await service.post('/internal/orders/known', body, headers), 401)
  }
})

test('only the operator’s command settles a held order: 401 for any other service', async () => {
  const { id } = await signedOnce('open')
  forget(id)
  await driveOn()
  for (const headers of [service.ledger, service.chain, await service.asService('gateway'), {}]) {
    refused(await service.get('/internal/held-orders', headers), 401)
    for (const way of ['release', 'fail', 'paid']) {
      refused(await service.post(`/internal/held-orders/${id}/${way}`, { txHash: other }, headers), 401)
    }
    refused(await service.post('/internal/held-orders/end', {}, headers), 401)
  }
  expect(await held()).toHaveLength(1)
})
