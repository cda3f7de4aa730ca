// Deposits in suspense go back to where they came from: the real ledger, wallet, blockchain and sanctions services, on the
// simulated Polygon and Solana.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { type Coin, type Movement, type OnChainMoney, onChainMoney } from './on-chain-money'

const polygon = { network: 'polygon', code: 'POL', decimals: 18, contract: null } satisfies Coin
const solana = {
  network: 'solana',
  code: 'USDC-SOL',
  decimals: 6,
  contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} satisfies Coin
const strangers: Record<string, string> = {
  polygon: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
  solana: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
}
/** The sandbox's list has whatever ends so. */
const listed = '0x742d35cc6634c0532925a3b844bc454e44389999'

let platform: TestPlatform
let money: OnChainMoney
beforeAll(async () => {
  const names = ['customer', 'account', 'core-ledger', 'wallet', 'blockchain', 'sanctions', 'log-tracker'] as const
  platform = await testPlatform(names, { SCREENING: 'sanctions' })
  money = onChainMoney(platform)
  for (const coin of [polygon, solana]) await money.newAsset(coin)
})
afterAll(() => platform.close())

const ledger = () => platform.to('core-ledger')
const reason = { reason: 'The account is closed' }
const giveBack = (id: string) => ledger().post(`/transactions/${id}/return`, reason)

/** Coins arrive for an account and stand in suspense: it is suspended, or where they came from is listed. */
async function inSuspense(coin: Coin, amount: string, sourceAddress: string, fields: object = {}) {
  const accountId = await money.newAccount(fields)
  const address = await money.walletOf(accountId, coin.network)
  await platform.to('account').put(`/accounts/${accountId}`, { status: 'suspended' })
  await platform.settle()
  const body = { address, asset: coin.contract ?? coin.code, amount, sourceAddress }
  await platform.to('blockchain').create(`/simulated/${coin.network}/deposits`, body)
  const { id, status } = await until(
    async () => {
      const found = (await ledger().get<Movement[]>(`/transactions?accountId=${accountId}`)).body[0]
      return found?.status === 'APPROVED' || found?.status === 'FROZEN' ? found : null
    },
    { what: 'the deposit to be screened' },
  )
  const [act, body2] = status === 'FROZEN' ? ['reject-frozen-deposit', {}] : ['fail', { reason: 'It stays suspended' }]
  expect((await ledger().post(`/transactions/${id}/${act}`, body2)).status).toBe(200)
  return { id, accountId, address }
}

test.each([
  ['a customer’s account', polygon, 'STABLECOINS'],
  ['a portfolio, which pays it itself', polygon, 'PORTFOLIO'],
  ['a customer’s account, a token on Solana', solana, 'STABLECOINS'],
] as const)('what came for %s, suspended and then deleted, is screened and goes back whole', async (_, coin, type) => {
  const stranger = strangers[coin.network] ?? ''
  const { id, accountId, address } = await inSuspense(coin, '10', stranger, { type })
  await platform.to('account').put(`/accounts/${accountId}`, { status: 'deleted' })
  await platform.settle()
  const before = Number(await money.heldAt(stranger, coin))
  const back = await giveBack(id)
  expect([back.status, back.body]).toMatchObject([201, { returns: id, destinationAddress: stranger, amount: '10' }])
  const { txHash } = await money.reached(back.body.id, 'COMPLETED')
  expect((await platform.to('blockchain').get(`/transactions/${txHash}`)).status).toBe(200)
  expect([await money.heldAt(address, coin), Number(await money.heldAt(stranger, coin))]).toEqual(['0', before + 10])
  expect(await money.balanceOf(accountId, coin)).toEqual(['0', '0', '0'])
  await platform.settle()
  const movements = await ledger().get(`/balances/account/${accountId}/movements`)
  expect(movements).toMatchObject({ status: 200, body: [] })
  expect((await giveBack(id)).status).toBe(400)
})

test('what came from a listed address is not paid back to it, whoever says so', async () => {
  const { id, address } = await inSuspense(polygon, '5', listed)
  const { body } = await giveBack(id)
  await money.reached(body.id, 'FROZEN')
  const approved = await ledger().post(`/transactions/${body.id}/approve-frozen-withdrawal`, {})
  expect([approved.status, approved.body.message]).toEqual([
    400,
    expect.stringContaining('has not passed its screening'),
  ])
  expect((await ledger().post(`/transactions/${body.id}/reject-frozen-withdrawal`, {})).status).toBe(200)
  expect(await money.heldAt(address, polygon)).toBe('5')
})

test('what came from an address of the deployment’s own is not returned to it', async () => {
  const own = await money.walletOf(await money.newAccount(), 'polygon')
  const body = { address: own, asset: 'POL', amount: '3' }
  await platform.to('blockchain').create('/simulated/polygon/deposits', body)
  const { id } = await inSuspense(polygon, '3', own)
  expect(await giveBack(id)).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining(`${own}, which is an address of this deployment`) },
  })
})
