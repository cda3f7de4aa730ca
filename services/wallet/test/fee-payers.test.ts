import { afterEach, describe, expect, mock, spyOn, test } from 'bun:test'
import type { WalletWithdrawal } from '@bursar/contracts/wallet'
import { feeBalances } from '../src/fees/fee-balances'
import { choosePayers } from '../src/orders/choose-payers'
import { getOrder } from '../src/orders/orders'
import { openOrdersOnce } from '../src/orders/payers'
import { associatedAddress } from '../src/token-accounts/associated-address'
import { hot } from './harness'
import { moveSend, oneAndAHalf, order, start, token, txHash } from './orders'
import { type Own, ownWallets } from './own-wallets'

let peers: Own['peers']
let service: Own['service']
ownWallets((own) => {
  ;({ peers, service } = own)
})

afterEach(() => {
  mock.restore()
})

/** Orders it, has it worked on, and answers who pays; undefined while nobody does. */
async function payerOf(fields: Partial<WalletWithdrawal>) {
  const { id } = await start(service, order(fields))
  await service.drive()
  const sent = peers.sends.get(id)?.order
  return sent && { id, from: sent.from, feePayer: sent.feePayer }
}

const coins = (n: number) => (BigInt(n) * 10n ** 18n).toString()
const lamports = (sol: number) => String(sol * 1e9)

describe('who pays the fee', () => {
  const usdc = { network: 'ethereum', contractAddress: token, decimals: 6, amount: '1' }

  test('on EVM the payer itself, so that it must also hold coins', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'ethereum')
    peers.hold('ethereum', address, { [token]: '1000000' })
    peers.hold('ethereum', hot.evm, { [token.toLowerCase()]: '1000000', native: coins(1) })
    expect(await payerOf({ ...usdc, accountId })).toMatchObject({ from: hot.evm, feePayer: null })
    peers.hold('ethereum', address, { [token]: '1000000', native: coins(1) })
    expect(await payerOf({ ...usdc, accountId })).toMatchObject({ from: address, feePayer: null })
  })

  test('the amount of a native coin and its fee together', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'ethereum')
    peers.hold('ethereum', address, { native: oneAndAHalf.toString() })
    expect(await payerOf({ network: 'ethereum', accountId })).toBeUndefined()
    peers.hold('ethereum', address, { native: (oneAndAHalf + 10n ** 16n).toString() })
    await service.drive(2000)
    expect(peers.sends.size).toBe(1)
  })

  test('also on a network that was simulated until the blockchain service started again', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'polygon')
    peers.hold('polygon', address, { native: String(2n * oneAndAHalf) })
    expect(await payerOf({ accountId })).toMatchObject({ from: address })
    peers.networks = peers.networks.map((each) => (each.name === 'polygon' ? { ...each, kind: 'evm' } : each))
    const now = performance.now.bind(performance)
    spyOn(performance, 'now').mockImplementation(() => now() + 1000)
    const { id } = await start(service, order({ accountId }))
    const waiting = await getOrder(service.deps.store.read, id)
    expect((await choosePayers(service.deps, [waiting])).size).toBe(0)
    peers.hold('polygon', address, { native: String(2n * oneAndAHalf + 2n * 10n ** 16n) })
    expect((await choosePayers(service.deps, [waiting])).get(id)?.chain).toEqual({ kind: 'evm', chainId: 137 })
  })

  test('in addition to the fees of the orders that it already pays', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'ethereum')
    peers.hold('ethereum', address, { [token]: '5000000', native: String(2n * 10n ** 16n) })
    const ids = []
    for (let i = 0; i < 3; i++) ids.push((await start(service, order({ ...usdc, accountId }))).id)
    await service.drive()
    expect(ids.map((id) => peers.sends.has(id))).toEqual([true, true, false])
    peers.hold('ethereum', address, { [token]: '5000000', native: String(3n * 10n ** 16n) })
    await service.drive(2000)
    expect(peers.sends.size).toBe(3)
  })

  test('not with the coins that an open order is about to take', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'ethereum')
    const enough = oneAndAHalf + 2n * 10n ** 16n
    peers.hold('ethereum', address, { [token]: '1000000', native: String(enough - 1n) })
    expect(await payerOf({ network: 'ethereum', accountId })).toMatchObject({ from: address })
    expect(await payerOf({ ...usdc, accountId })).toBeUndefined()
    peers.hold('ethereum', address, { [token]: '1000000', native: String(enough) })
    await service.drive(2000)
    expect(peers.sends.size).toBe(2)
  })

  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const onSolana = {
    network: 'solana',
    contractAddress: mint,
    decimals: 6,
    amount: '1',
    destinationAddress: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
  }

  test('on Solana the hot wallet for all others', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'solana')
    const { solana } = hot
    peers.hold('solana', address, { [mint]: '1000000' })
    expect(await payerOf({ ...onSolana, accountId })).toBeUndefined()
    peers.hold('solana', solana, { native: lamports(1) })
    await service.drive(2000)
    expect([...peers.sends.values()].map(({ order: { from, feePayer } }) => ({ from, feePayer }))).toEqual([
      { from: address, feePayer: solana },
    ])
    peers.hold('solana', solana, { native: lamports(1), [mint]: '1000000' })
    expect(await payerOf({ ...onSolana, accountId: peers.account() })).toMatchObject({ from: solana, feePayer: null })
  })

  test('on Solana it needs coins for the fee alone, not for the coins that another one pays', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'solana')
    peers.hold('solana', address, { native: lamports(1) })
    peers.hold('solana', hot.solana, { native: '3000000' })
    const sol = { ...onSolana, contractAddress: null, decimals: 9, accountId }
    expect(await payerOf(sol)).toMatchObject({ from: address, feePayer: hot.solana })
  })

  /** Who pays the fee of a waiting order, with what was read of the open orders before; undefined while nobody pays it. */
  async function feePayerOf(id: string, openAt?: ReturnType<typeof openOrdersOnce>) {
    const waiting = await getOrder(service.deps.store.read, id)
    return (await choosePayers(service.deps, [waiting], openAt)).get(id)?.feePayer
  }

  /** An account with a token, whose fees the hot wallet pays, and an order that the hot wallet pays with its own coins. */
  async function besideHotWallet(coins: number) {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'solana')
    peers.hold('solana', address, { [mint]: '1000000' })
    peers.hold('solana', hot.solana, { native: String(coins) })
    const sol = { ...onSolana, contractAddress: null, decimals: 9, accountId: peers.account() }
    return { accountId, payFromHot: async () => (await payerOf(sol))?.id ?? '' }
  }

  test('on Solana in addition to what the fee payer’s own open orders take, also since they were read', async () => {
    const enough = 1e9 + 2 * 3_000_000
    const { accountId, payFromHot } = await besideHotWallet(enough - 1)
    const openAt = openOrdersOnce(service.deps.store.read)
    expect(await openAt('solana', hot.solana)).toEqual([])
    await payFromHot()
    const { id } = await start(service, order({ ...onSolana, accountId }))
    expect(await feePayerOf(id, openAt)).toBeUndefined()
    peers.hold('solana', hot.solana, { native: String(enough) })
    expect(await feePayerOf(id, openAt)).toBe(hot.solana)
  })

  test('on Solana in addition to the fees that it pays for others’ open orders, of one commit and of several', async () => {
    const ids = []
    for (const [i, coins] of [5_999_999, 8_999_999].entries()) {
      peers.hold('solana', hot.solana, { native: String(coins) })
      const accounts = [peers.account(), peers.account()].slice(i)
      for (const accountId of accounts) {
        peers.hold('solana', (await service.wallet(accountId, 'solana')).address, { [mint]: '1000000' })
      }
      const started = await Promise.all(accounts.map((accountId) => start(service, order({ ...onSolana, accountId }))))
      ids.push(...started.map(({ id }) => id))
      await service.drive(2000 * i)
      expect(ids.filter((id) => peers.sends.has(id))).toHaveLength(1 + i)
    }
    const paying = (await feeBalances(service.deps)).find(({ address }) => address === hot.solana)
    expect(paying).toMatchObject({ openOrders: 2, needed: '0.009', isLow: true })
    peers.hold('solana', hot.solana, { native: '9000000' })
    await service.drive(5000)
    expect(peers.sends.size).toBe(3)
  })

  test('on Solana also of those that have ended since: its balance may have been read before', async () => {
    const { accountId, payFromHot } = await besideHotWallet(1e9 + 3_000_000)
    const openId = await payFromHot()
    const openAt = openOrdersOnce(service.deps.store.read)
    expect((await openAt('solana', hot.solana)).map(({ id }) => id)).toEqual([openId])
    await moveSend(service, peers, { id: openId, status: 'confirmed', txHash: txHash() })
    const { id } = await start(service, order({ ...onSolana, accountId }))
    expect([await feePayerOf(id, openAt), await feePayerOf(id)]).toEqual([undefined, hot.solana])
  })

  test('on Solana no address that would keep less than the network allows', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'solana')
    const sol = { ...onSolana, contractAddress: null, decimals: 9, accountId }
    peers.hold('solana', hot.solana, { native: lamports(10) })
    peers.hold('solana', address, { native: String(1e9 + 890_879) })
    expect(await payerOf(sol)).toMatchObject({ from: hot.solana })
    peers.hold('solana', address, { native: lamports(1) })
    expect(await payerOf(sol)).toMatchObject({ from: address })
    peers.hold('solana', address, { native: String(2e9 + 890_880) })
    expect(await payerOf(sol)).toMatchObject({ from: address })
  })

  test('on Solana no address with what is beside its associated token account: payments cannot take it', async () => {
    const accountId = peers.account()
    const { address } = await service.wallet(accountId, 'solana')
    peers.hold('solana', address, { [mint]: '1000000' })
    peers.hold('solana', hot.solana, { native: lamports(1), [mint]: '1000000' })
    let payable = '999999'
    peers.fault(async (request, usual) => {
      const answer = await usual()
      if (!request.url.endsWith(`${address}/holdings`)) return answer
      const held = (await answer.json()) as object[]
      return Response.json(held.map((each) => ({ ...each, payable })))
    })
    expect(await payerOf({ ...onSolana, accountId })).toMatchObject({ from: hot.solana })
    payable = '1000000'
    expect(await payerOf({ ...onSolana, accountId })).toMatchObject({ from: address })
  })

  test('on Solana the fee payer of the account’s token account, if it has one', async () => {
    const [accountId, feePayerAccountId] = [peers.account(), peers.account('FEE_PAYER')]
    const feePayer = (await service.wallet(feePayerAccountId, 'solana')).address
    const created = await service.post(`/wallets/${accountId}/token-account`, { tokenAddress: mint, feePayerAccountId })
    expect(created.status).toBe(201)
    const { address } = await service.wallet(accountId, 'solana')
    peers.hold('solana', address, { [mint]: '1000000' })
    peers.hold('solana', feePayer, { native: lamports(1) })
    expect(await payerOf({ ...onSolana, accountId })).toMatchObject({ from: address, feePayer })
  })

  test('on Solana a portfolio pays its own fee, and for nobody else’s', async () => {
    const [portfolio, feePayerAccountId] = [peers.account('PORTFOLIO'), peers.account('FEE_PAYER')]
    await service.wallet(feePayerAccountId, 'solana')
    const body = { tokenAddress: mint, feePayerAccountId }
    expect((await service.post(`/wallets/${portfolio}/token-account`, body)).status).toBe(201)
    const { address } = await service.wallet(portfolio, 'solana')
    peers.hold('solana', hot.solana, { native: lamports(10) })
    peers.hold('solana', address, { [mint]: '1000000' })
    expect(await payerOf({ ...onSolana, accountId: portfolio })).toBeUndefined()
    peers.hold('solana', address, { [mint]: '1000000', native: lamports(1) })
    await service.drive(2000)
    expect([...peers.sends.values()].map(({ order: { from, feePayer } }) => ({ from, feePayer }))).toEqual([
      { from: address, feePayer: null },
    ])
  })

  test('on Solana never the owner of the token account that is paid', async () => {
    const [accountId, receiver] = [peers.account(), peers.account()]
    const created = await service.post(`/wallets/${receiver}/token-account`, { tokenAddress: mint })
    const [own, theirs] = [await service.wallet(accountId, 'solana'), await service.wallet(receiver, 'solana')]
    peers.hold('solana', hot.solana, { native: lamports(10) })
    peers.hold('solana', theirs.address, { [mint]: '9000000' })
    const { id } = await start(service, order({ ...onSolana, accountId, destinationAddress: created.body.address }))
    await service.drive()
    expect(peers.sends.size).toBe(0)
    peers.hold('solana', own.address, { [mint]: '1000000' })
    await service.drive(2000)
    expect(peers.sends.get(id)?.order).toMatchObject({ from: own.address, to: created.body.address })
  })

  test('a token account of the hot wallet, or of the account itself, is no destination', async () => {
    const accountId = peers.account()
    const { body } = await service.post(`/wallets/${accountId}/token-account`, { tokenAddress: mint })
    const hotAccount = await associatedAddress(hot.solana, mint)
    for (const [destinationAddress, words] of [
      [body.address, 'of the account itself'],
      [hotAccount, 'is the hot wallet'],
      [hot.solana, 'is the hot wallet'],
    ]) {
      const answer = await start(service, order({ ...onSolana, accountId, destinationAddress }))
      expect(answer).toMatchObject({ status: 'failed', reason: expect.stringContaining(words) })
    }
  })
})
