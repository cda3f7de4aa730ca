// Money in and out by a chain: the real wallet, blockchain and core ledger services, on the simulated Polygon and Solana.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { nobody, uuidExpected } from '@bursar/testing/service'
import { type Coin, type OnChainMoney, onChainMoney } from './on-chain-money'

let platform: TestPlatform
let money: OnChainMoney

const polygon = {
  coin: { network: 'polygon', code: 'POL', decimals: 18, contract: null },
  token: { network: 'polygon', code: 'USDC', decimals: 6, contract: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
  stranger: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
} satisfies Chain
const solana = {
  coin: { network: 'solana', code: 'SOL', decimals: 9, contract: null },
  token: { network: 'solana', code: 'USDC-SOL', decimals: 6, contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
  stranger: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
} satisfies Chain
interface Chain {
  coin: Coin
  token: Coin
  stranger: string
}

beforeAll(async () => {
  platform = await testPlatform(['customer', 'account', 'quote', 'core-ledger', 'wallet', 'blockchain', 'log-tracker'])
  money = onChainMoney(platform)
  for (const { coin, token } of [polygon, solana]) {
    await money.newAsset(coin)
    await money.newAsset(token)
  }
})
afterAll(() => platform.close())

/** Coins arrive on the chain at the account's address, are seen, screened and credited. */
async function depositOnChain(accountId: string, { network, code, contract }: Coin, amount: string): Promise<string> {
  const address = await money.walletOf(accountId, network)
  await platform.to('blockchain').create(`/simulated/${network}/deposits`, { address, asset: contract ?? code, amount })
  await money.credited(accountId)
  return address
}

describe.each([
  ['POL on polygon', polygon.coin, polygon.stranger],
  ['a token on polygon', polygon.token, polygon.stranger],
  ['SOL on solana', solana.coin, solana.stranger],
  ['a token on solana', solana.token, solana.stranger],
])('%s', (_what, coin, stranger) => {
  test('a deposit is credited, and a withdrawal is paid out of it', async () => {
    const accountId = await money.newAccount()
    const address = await depositOnChain(accountId, coin, '10')
    expect(await money.balanceOf(accountId, coin)).toEqual(['10', '0', '10'])
    const { txHash } = await money.reached(await money.withdraw(accountId, coin, '2.5', stranger), 'COMPLETED')
    expect(await money.balanceOf(accountId, coin)).toEqual(['7.5', '0', '7.5'])
    expect((await platform.to('blockchain').get(`/transactions/${txHash}`)).status).toBe(200)
    if (coin.code !== 'USDC-SOL') expect(await money.heldAt(address, coin)).toBe('7.5')
  })
})

test('an account whose own wallet is empty is paid by the pool', async () => {
  const [rich, other] = [await money.newAccount(), await money.newAccount()]
  await depositOnChain(rich, polygon.coin, '50')
  await money.transfer(rich, other, polygon.coin, '5')
  await money.reached(await money.withdraw(other, polygon.coin, '5', polygon.stranger), 'COMPLETED')
  expect(await money.balanceOf(other, polygon.coin)).toEqual(['0', '0', '0'])
})

test('withdrawals go on after the wallet and the blockchain service were stopped, and are paid once', async () => {
  const accountId = await money.newAccount()
  const address = await depositOnChain(accountId, polygon.coin, '20')
  await platform.stop('blockchain')
  const ids = [
    await money.withdraw(accountId, polygon.coin, '1', polygon.stranger),
    await money.withdraw(accountId, polygon.coin, '2', polygon.stranger),
  ]
  await platform.stop('wallet')
  await platform.start('wallet')
  await platform.start('blockchain')
  for (const id of ids) await money.reached(id, 'COMPLETED')
  expect(await money.heldAt(address, polygon.coin)).toBe('17')
})

describe('what the account service takes from the wallet and the ledger', () => {
  const accounts = () => platform.to('account')

  test('the addresses of an account: none, then one for each of its networks', async () => {
    const id = await money.newAccount()
    expect(await accounts().get(`/accounts/${id}/addresses`)).toMatchObject({ status: 200, body: [] })
    const made = [await money.walletOf(id, 'polygon'), await money.walletOf(id, 'solana')]
    expect(await accounts().get(`/accounts/${id}/addresses`)).toMatchObject({ status: 200, body: made })
  })

  test.each(['addresses', 'balance'])(
    '%s of an account that is not there: 404; of what is no id: 400',
    async (what) => {
      const missing = await accounts().get(`/accounts/${nobody}/${what}`)
      expect(missing).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
      const invalid = await accounts().get(`/accounts/none/${what}`)
      expect(invalid).toMatchObject({
        status: 400,
        body: { error: { code: 'INVALID_REQUEST', message: uuidExpected } },
      })
    },
  )

  test('the balance of an account without money is 0; of one with coins what they are worth', async () => {
    const id = await money.newAccount()
    expect((await accounts().get(`/accounts/${id}/balance`)).body).toMatchObject({ totalBalance: 0, assets: [] })
    await platform.to('quote').create('/assets', { name: 'Polygon', code: 'POL', staticValue: 0.5 })
    await depositOnChain(id, polygon.coin, '10')
    const { status, body } = await accounts().get(`/accounts/${id}/balance`)
    expect({ status, total: body.totalBalance }).toEqual({ status: 200, total: 5 })
    expect(body.assets).toMatchObject([{ asset: { symbol: 'POL' }, quantity: 10, usdValue: 5 }])
  })

  test('a walletAccountId: 404 when the wallet service has none such; the wallets come of one that it made, for one account', async () => {
    const customer = await platform.to('customer').create('/customers', { externalId: 'w-1', status: 'active' })
    const body = { type: 'STABLECOINS', status: 'active', name: 'Tied', customerId: customer.id }
    const unknown = await accounts().post('/accounts', { ...body, walletAccountId: nobody })
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    const { walletAccountId } = await platform.to('wallet').create('/wallets/accounts')
    const account = await accounts().create('/accounts', { ...body, walletAccountId })
    expect(account.walletAccountId).toBe(walletAccountId)
    await platform.settle()
    const address = await money.walletOf(account.id, 'polygon')
    expect((await accounts().get(`/accounts/${account.id}/addresses`)).body).toEqual([address])
    expect((await accounts().post('/accounts', { ...body, walletAccountId })).status).toBe(409)
  })

  test('the wallet service is away: addresses say so, with no 500 and no empty list', async () => {
    const id = await money.newAccount()
    await platform.stop('wallet')
    const answer = await accounts().get(`/accounts/${id}/addresses`)
    await platform.start('wallet')
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
  })
})

test('the tracker has the wallets and their movements', async () => {
  const accountId = await money.newAccount()
  const address = await depositOnChain(accountId, polygon.coin, '10')
  const transactionId = await money.withdraw(accountId, polygon.coin, '1', polygon.stranger)
  await money.reached(transactionId, 'COMPLETED')
  await platform.settle()
  const lines = async (filter: string) =>
    (await platform.to('log-tracker', '/tracker/v1').get(`/log-messages?service=wallet&limit=100&${filter}`)).body
      .data as { event_type: string; status: string; metadata: { address?: string } }[]
  const created = (await lines('type=WALLET_CREATED')).filter(({ metadata }) => metadata.address === address)
  expect(created).toMatchObject([{ status: 'SUCCESS' }])
  // That it was sent is told unless it was final when the pass ended.
  const moved = (await lines(`transactionId=${transactionId}`)).map((line) => [line.event_type, line.status])
  expect(moved.filter(([, status]) => status !== 'PENDING')).toEqual([['WALLET_TRANSACTION', 'SUCCESS']])
})
