// No signature without a hold: the ledger says before each one what may be moved, and nothing else is signed.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { AuthorisedTerms } from '@bursar/contracts/core-ledger'
import { silentLog } from '@bursar/contracts/log'
import { signatures } from '../src/orders/signatures.table'
import { createNonceGaps } from '../src/signing/nonce-gaps'
import { expectStatus, refused, type TestWallets, testWallets } from './harness'
import { fundedAccount, order, start, token } from './orders'
import { type Peers, startPeers } from './peers'
import { evmToSign, handedOver, handedOverOnEvm, sign, toSign } from './signing'

let peers: Peers
let service: TestWallets
const errors: unknown[] = []
beforeEach(async () => {
  errors.length = 0
  peers = startPeers()
  service = await testWallets(peers, { log: { ...silentLog, error: (...args: unknown[]) => void errors.push(args) } })
})
afterEach(async () => {
  await service.close()
  await peers.server.stop()
})

const kept = async () => await service.deps.store.read.select().from(signatures)
const waitsFor = async (id: string) => expectStatus(await service.get(`/wallets/withdrawals/${id}`), 200).waitsFor
const change = (id: string, terms: Partial<AuthorisedTerms>) => {
  const booked = peers.ledger.booked.get(id)
  if (booked) peers.ledger.booked.set(id, { ...booked, ...terms })
}

describe('a withdrawal is signed', () => {
  test('when the ledger authorises its terms; without them it waits with the ledger’s reason', async () => {
    const id = await handedOver(service, peers)
    peers.ledger.obstacles.set(id, 'The account is suspended')
    const refusal = refused(await sign(service, toSign(peers, id)), 409)
    expect(refusal.message).toBe('The order waits: The account is suspended')
    expect(await kept()).toEqual([])
    expect(await waitsFor(id)).toBe('The order waits: The account is suspended')
    peers.ledger.obstacles.clear()
    expectStatus(await sign(service, toSign(peers, id)), 200)
    expect(await waitsFor(id)).toBeNull()
    expect(await kept()).toHaveLength(1)
  })

  test('never when the ledger does not know it', async () => {
    const id = await handedOver(service, peers)
    peers.ledger.booked.delete(id)
    expect(refused(await sign(service, toSign(peers, id)), 422).message).toContain('does not know this withdrawal')
    expect(await kept()).toEqual([])
  })

  test('not while the ledger is unavailable: 503, and the order has the reason', async () => {
    const id = await handedOver(service, peers)
    peers.away.add('core-ledger')
    expect(refused(await sign(service, toSign(peers, id)), 503).code).toBe('SERVICE_UNAVAILABLE')
    expect(await kept()).toEqual([])
    expect(await waitsFor(id)).not.toBeNull()
    peers.away.delete('core-ledger')
    expectStatus(await sign(service, toSign(peers, id)), 200)
  })

  test.each<[string, Partial<AuthorisedTerms>]>([
    ['account', { accountId: Bun.randomUUIDv7() }],
    ['network', { network: 'ethereum' }],
    ['asset', { assetCode: 'ETH' }],
    ['contract', { contractAddress: token }],
    ['amount', { amount: '1.4' }],
    ['amount', { amount: '1.5', decimals: 6 }],
    ['amount', { amount: '1500000000000', decimals: 6 }],
    ['amount', { amount: 'all' }],
    ['destination', { destinationAddress: '0x742d35CC6634c0532925A3b844BC454E4438f44E' }],
  ])('never under another %s than the ledger’s (%j): 422, and an error is logged', async (word, terms) => {
    const id = await handedOver(service, peers)
    change(id, terms)
    const { message } = refused(await sign(service, toSign(peers, id)), 422)
    expect(message).toBe(`The transaction is not signed: its ${word} is not what the core ledger has authorised`)
    expect(await kept()).toEqual([])
    expect(errors).toHaveLength(1)
  })

  test('never by what the ledger says of another one, though the terms are the same', async () => {
    const id = await handedOver(service, peers)
    peers.ledger.named.set(id, Bun.randomUUIDv7())
    expect(refused(await sign(service, toSign(peers, id)), 422).message).toContain('its id is not')
    expect(await kept()).toEqual([])
  })

  test('for every notation of a native asset, a network, and an amount', async () => {
    const id = await handedOver(service, peers)
    change(id, { contractAddress: 'native', network: 'Polygon', amount: '1.500' })
    expectStatus(await sign(service, toSign(peers, id)), 200)
  })

  test('with as many digits as a chain has paid in, which a return sends back', async () => {
    const { accountId } = await fundedAccount(service, peers, 10n ** 58n)
    const { id } = await start(service, order({ accountId, amount: '9'.repeat(40) }))
    await service.drive()
    expectStatus(await sign(service, toSign(peers, id)), 200)
  })

  test('with a token address in another case', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'polygon')
    peers.hold('polygon', address, { [token]: '2500000' })
    const { id } = await start(service, order({ accountId, contractAddress: token, decimals: 6, amount: '1' }))
    await service.drive()
    change(id, { contractAddress: token.toLowerCase() })
    expectStatus(await sign(service, toSign(peers, id)), 200)
  })

  test('again only if the ledger still authorises it; an order that was signed before is never refused permanently', async () => {
    const id = await handedOverOnEvm(service, peers)
    expectStatus(await sign(service, evmToSign(id, 7)), 200)
    change(id, { amount: '1' })
    expect(refused(await sign(service, evmToSign(id, 7, 60n)), 409).message).toContain('its amount is not')
    peers.ledger.booked.delete(id)
    refused(await sign(service, evmToSign(id, 7, 60n)), 409)
    expect(await kept()).toHaveLength(1)
  })

  test('many are authorised in one call to the ledger', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'polygon')
    peers.hold('polygon', address, { native: (10n ** 24n).toString() })
    const orders = Array.from({ length: 50 }, () => order({ accountId }))
    await service.post('/internal/withdrawals/batch', { items: orders }, service.ledger)
    await service.drive()
    const items = orders.map(({ id }, i) => toSign(peers, id, i))
    const answer = await service.post('/internal/sign-transactions', { items }, service.chain)
    expect(expectStatus<{ items: unknown[] }>(answer, 200).items.every((each) => each !== null)).toBe(true)
    expect(peers.calls('POST', '/internal/authorisations')).toBeLessThanOrEqual(2)
    expect(await kept()).toHaveLength(50)
  })
})

describe('nonces of a sender', () => {
  // A gap holds up later nonces for ten seconds.
  beforeEach(() => void Object.assign(service.deps, { nonceGaps: createNonceGaps(() => 0) }))
  const ordersOfOne = async (count: number) => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'polygon')
    peers.hold('polygon', address, { native: (10n ** 24n).toString() })
    const orders = Array.from({ length: count }, () => order({ accountId }))
    await service.post('/internal/withdrawals/batch', { items: orders }, service.ledger)
    await service.drive()
    return orders.map(({ id }) => id)
  }
  const signMany = async (items: object[]) =>
    expectStatus<{ items: unknown[] }>(
      await service.post('/internal/sign-transactions', { items }, service.chain),
      200,
    ).items.map((each) => each !== null)

  test.each([
    ['waits for the ledger', (id: string) => void peers.ledger.obstacles.set(id, 'frozen')],
    ['is refused', (id: string) => void change(id, { amount: '7' })],
  ])(
    'nothing is signed behind one that %s: the chain could not take it, and it would be signed twice',
    async (_, spoil) => {
      const [first = '', second = '', third = '', fourth = ''] = await ordersOfOne(4)
      spoil(second)
      const ids = [first, second, third, fourth]
      expect(await signMany(ids.map((id, i) => toSign(peers, id, 5 + i)))).toEqual([true, false, false, false])
      // The blockchain service asks for each of the others alone, and in its next round without the one that waits.
      refused(await sign(service, toSign(peers, fourth, 8)), 409)
      expect((await kept()).map(({ orderId }) => orderId)).toEqual([first])
      expect(await signMany([toSign(peers, third, 6), toSign(peers, fourth, 7)])).toEqual([true, true])
      expect((await kept()).map(({ orderId, nonce }) => [orderId, nonce])).toEqual([
        [first, 5],
        [third, 6],
        [fourth, 7],
      ])
    },
  )

  test('a fee that is not raised delays no other transaction: its nonce is signed', async () => {
    const one = await handedOverOnEvm(service, peers)
    const two = await handedOverOnEvm(service, peers)
    expectStatus(await sign(service, evmToSign(one, 7)), 200)
    peers.ledger.obstacles.set(one, 'frozen')
    refused(await sign(service, evmToSign(one, 7, 60n)), 409)
    expectStatus(await sign(service, evmToSign(two, 8)), 200)
  })

  test('a gap delays no other sender, and none permanently', async () => {
    const [one = '', two = ''] = await ordersOfOne(2)
    const [other = ''] = await ordersOfOne(1)
    peers.ledger.obstacles.set(one, 'frozen')
    expect(await signMany([toSign(peers, one, 5), toSign(peers, two, 6), toSign(peers, other, 6)])).toEqual([
      false,
      false,
      true,
    ])
    peers.ledger.obstacles.clear()
    expect(await signMany([toSign(peers, one, 5), toSign(peers, two, 6)])).toEqual([true, true])
  })
})
