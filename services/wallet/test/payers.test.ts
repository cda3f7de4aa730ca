import { describe, expect, test } from 'bun:test'
import type { WalletWithdrawal } from '@bursar/contracts/wallet'
import { choosePayers } from '../src/orders/choose-payers'
import { getOrder } from '../src/orders/orders'
import { hot } from './harness'
import { fundedAccount, moveSend, oneAndAHalf, order, start, token, txHash } from './orders'
import { type Own, ownWallets } from './own-wallets'

let peers: Own['peers']
let service: Own['service']
ownWallets((own) => {
  ;({ peers, service } = own)
})

/** Orders it, has it worked on, and answers who pays; undefined while nobody does. */
async function payerOf(fields: Partial<WalletWithdrawal>) {
  const { id } = await start(service, order(fields))
  await service.drive()
  const sent = peers.sends.get(id)?.order
  return sent && { id, from: sent.from, feePayer: sent.feePayer }
}

const coins = (n: number) => (BigInt(n) * 10n ** 18n).toString()

describe('who pays a withdrawal', () => {
  test('the account’s own wallet, when it holds enough', async () => {
    const { accountId, address } = await fundedAccount(service, peers)
    peers.hold('polygon', hot.evm, { native: coins(100) })
    expect(await payerOf({ accountId })).toMatchObject({ from: address })
  })

  test('otherwise the hot wallet, otherwise the richest address of the pool', async () => {
    const { accountId } = await fundedAccount(service, peers, oneAndAHalf - 1n)
    const poor = await fundedAccount(service, peers, 2n * oneAndAHalf)
    const rich = await fundedAccount(service, peers, 5n * oneAndAHalf)
    expect(await payerOf({ accountId })).toMatchObject({ from: rich.address })
    expect(poor.address).not.toBe(rich.address)
    peers.hold('polygon', hot.evm, { native: oneAndAHalf.toString() })
    expect(await payerOf({ accountId })).toMatchObject({ from: hot.evm })
  })

  test('never the destination itself: nothing would move', async () => {
    const { accountId } = await fundedAccount(service, peers, oneAndAHalf - 1n)
    const rich = await fundedAccount(service, peers, 5n * oneAndAHalf)
    const { id } = await start(service, order({ accountId, destinationAddress: rich.address.toLowerCase() }))
    await service.drive()
    expect(peers.sends.has(id)).toBe(false)
    peers.hold('polygon', hot.evm, { native: coins(100) })
    await service.drive(2000)
    expect(peers.sends.get(id)?.order).toMatchObject({ from: hot.evm, to: rich.address.toLowerCase() })
  })

  test('nobody while no address holds enough: the order waits until one does', async () => {
    const accountId = peers.account()
    const { id } = await start(service, order({ accountId }))
    await service.drive()
    expect(peers.sends.size).toBe(0)
    peers.hold('polygon', hot.evm, { native: coins(2) })
    await service.drive(2000)
    expect(peers.sends.get(id)?.order.from).toBe(hot.evm)
  })

  test('the amounts of open orders are not available', async () => {
    const { accountId, address } = await fundedAccount(service, peers, 2n * oneAndAHalf)
    const all = await Promise.all(Array.from({ length: 3 }, () => start(service, order({ accountId }))))
    await service.drive()
    const sent = all.map(({ id }) => peers.sends.get(id)?.order.from)
    expect(sent.filter((from) => from === address)).toHaveLength(2)
    expect(sent.filter((from) => from === undefined)).toHaveLength(1)
    const [paid] = [...peers.sends.keys()]
    await moveSend(service, peers, { id: paid ?? '', status: 'confirmed', txHash: txHash() })
    peers.hold('polygon', address, { native: (2n * oneAndAHalf).toString() })
    await service.drive(2000)
    expect(peers.sends.size).toBe(3)
  })

  test('the same for a token, whose orders do not use the coins', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'polygon')
    peers.hold('polygon', address, { [token]: '2500000', native: '1' })
    const usdc = { accountId, contractAddress: token, decimals: 6, amount: '1' }
    const payers = []
    for (let i = 0; i < 3; i++) payers.push((await payerOf(usdc))?.from)
    expect(payers).toEqual([address, address, undefined])
    peers.hold('polygon', address, { [token]: '2500000', native: oneAndAHalf.toString() })
    expect(await payerOf({ accountId })).toMatchObject({ from: address })
  })

  test('is chosen once: it stays the payer when others get richer', async () => {
    const { accountId, address } = await fundedAccount(service, peers)
    peers.fault((request) =>
      request.url.endsWith('/internal/sends') ? new Response('no', { status: 500 }) : undefined,
    )
    const { id } = await start(service, order({ accountId }))
    await service.drive()
    peers.fault(null)
    peers.hold('polygon', address, {})
    peers.hold('polygon', hot.evm, { native: coins(100) })
    await service.drive(5000)
    expect(peers.sends.get(id)?.order.from).toBe(address)
  })

  test('is chosen once, also where an attempt has read the order before', async () => {
    const { accountId, address } = await fundedAccount(service, peers, oneAndAHalf - 1n)
    peers.hold('polygon', hot.evm, { native: coins(100) })
    const { id } = await start(service, order({ accountId }))
    const unpaid = await getOrder(service.deps.store.read, id)
    const payerNow = async () => (await choosePayers(service.deps, [unpaid])).get(id)?.payer
    expect(await payerNow()).toBe(hot.evm)
    peers.hold('polygon', address, { native: coins(100) })
    expect(await payerNow()).toBe(hot.evm)
  })

  test('an address that orders of several accounts want at once pays as many as it can', async () => {
    const accounts = [peers.account(), peers.account(), peers.account()]
    peers.hold('polygon', hot.evm, { native: (2n * oneAndAHalf).toString() })
    await Promise.all(accounts.map((accountId) => start(service, order({ accountId }))))
    await service.drive()
    expect([...peers.sends.values()].map((sent) => sent.order.from)).toEqual([hot.evm, hot.evm])
  })

  test('a portfolio pays only for itself, and nobody pays for it; a fee payer pays for nobody', async () => {
    const portfolio = peers.account('PORTFOLIO')
    const { address } = await service.wallet(portfolio, 'polygon')
    const { address: feePayer } = await service.wallet(peers.account('FEE_PAYER'), 'polygon')
    peers.hold('polygon', address, { native: coins(50) })
    peers.hold('polygon', feePayer, { native: coins(50) })
    expect(await payerOf({ accountId: peers.account() })).toBeUndefined()
    expect(await payerOf({ accountId: portfolio })).toMatchObject({ from: address })
    peers.hold('polygon', address, { native: '0' })
    peers.hold('polygon', hot.evm, { native: coins(50) })
    expect(await payerOf({ accountId: portfolio })).toBeUndefined()
  })

  test('an unknown account is fetched first', async () => {
    const portfolio = peers.account('PORTFOLIO')
    peers.hold('polygon', hot.evm, { native: coins(50) })
    peers.away.add('account')
    expect(await payerOf({ accountId: portfolio })).toBeUndefined()
    peers.away.delete('account')
    await service.drive(5000)
    expect(peers.sends.size).toBe(0)
  })
})
