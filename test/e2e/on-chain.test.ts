// Money in and out by a chain: the real wallet, blockchain and core ledger services, on the simulated Polygon and Solana.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'

setDefaultTimeout(60_000)

let platform: TestPlatform
const ledger = () => platform.to('core-ledger')
const wallets = () => platform.to('wallet')

/** The coins of two chains, and where money is sent on them. */
const chains = {
  polygon: { code: 'POL', decimals: 18, stranger: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e' },
  solana: { code: 'SOL', decimals: 9, stranger: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk' },
} as const
type Chain = keyof typeof chains
const assetIds = new Map<Chain, string>()

beforeAll(async () => {
  platform = await testPlatform(['customer', 'account', 'core-ledger', 'wallet', 'blockchain', 'log-tracker'])
  for (const [network, { code, decimals }] of Object.entries(chains)) {
    const body = { code, name: code, decimalPlaces: decimals, address: 'native', network }
    assetIds.set(network as Chain, (await ledger().create('/assets', body)).id)
  }
})
afterAll(() => platform.close())

let made = 0
async function newAccount(): Promise<string> {
  const externalId = `c-${++made}`
  const customer = await platform.to('customer').create('/customers', { externalId, status: 'active' })
  const body = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId: customer.id }
  const { id } = await platform.to('account').create('/accounts', body)
  await platform.settle()
  return id
}

const walletOf = async (accountId: string, network: Chain): Promise<{ address: string }> =>
  (await wallets().get(`/wallets/account/${accountId}/network/${network}?createIfNotExists=true`)).body

const transactions = async (
  accountId: string,
): Promise<{ id: string; type: string; status: string; txHash: string }[]> =>
  (await ledger().get(`/transactions?accountId=${accountId}`)).body
const transactionOf = async (id: string) => (await ledger().get(`/transactions/${id}`)).body
const screen = (id: string) => ledger().post('/transactions/complete-screening', { id, isApproved: true })
const reached = (id: string, status: string) =>
  until(async () => (await transactionOf(id)).status === status, { what: `${id} to be ${status}`, timeoutMs: 30_000 })

/** Coins arrive on the chain at the account's address, are seen, screened and credited. */
async function depositOnChain(accountId: string, network: Chain, amount: string): Promise<string> {
  const { address } = await walletOf(accountId, network)
  const asset = chains[network].code
  await platform.to('blockchain').create(`/simulated/${network}/deposits`, { address, asset, amount })
  let id = ''
  await until(
    async () => {
      const fresh = (await transactions(accountId)).find(
        ({ type, status }) => type === 'DEPOSIT' && status === 'PENDING',
      )
      id = fresh?.id ?? ''
      return fresh !== undefined
    },
    { what: 'the deposit to be seen', timeoutMs: 30_000 },
  )
  await screen(id)
  await reached(id, 'COMPLETED')
  return id
}

async function withdraw(accountId: string, network: Chain, amount: string): Promise<string> {
  const body = {
    accountId,
    network,
    assetId: assetIds.get(network),
    amount,
    destinationAddress: chains[network].stranger,
  }
  const { id } = await ledger().create('/transactions/withdrawal', body)
  await screen(id)
  return id
}

const heldAt = async (network: Chain, address: string): Promise<string | undefined> => {
  const { data } = (await platform.to('blockchain').get(`/addresses/${address}?network=${network}`)).body
  return data.find(({ currency }: { currency: string }) => currency === chains[network].code)?.amount
}
const balanceOf = async (accountId: string) => (await ledger().get(`/balances/account/${accountId}`)).body[0]

describe.each(['polygon', 'solana'] as const)('on %s', (network) => {
  test('a deposit is credited, and a withdrawal is paid out of it', async () => {
    const accountId = await newAccount()
    await depositOnChain(accountId, network, '10')
    expect(await balanceOf(accountId)).toMatchObject({ availableBalance: '10', totalBalance: '10' })
    const id = await withdraw(accountId, network, '2.5')
    await reached(id, 'COMPLETED')
    expect(await balanceOf(accountId)).toMatchObject({
      availableBalance: '7.5',
      frozenBalance: '0',
      totalBalance: '7.5',
    })
    const { txHash } = await transactionOf(id)
    expect((await platform.to('blockchain').get(`/transactions/${txHash}`)).status).toBe(200)
    const { address } = await walletOf(accountId, network)
    expect(Number(await heldAt(network, address))).toBe(7.5)
  })
})

test('an account whose own wallet is empty is paid by the pool', async () => {
  const [rich, other] = [await newAccount(), await newAccount()]
  await depositOnChain(rich, 'polygon', '50')
  const transfer = { fromAccountId: rich, toAccountId: other, assetId: assetIds.get('polygon'), amount: '5' }
  const { id } = await ledger().create('/transactions/transfer', transfer)
  await screen(id)
  await reached(id, 'COMPLETED')
  const withdrawal = await withdraw(other, 'polygon', '5')
  await reached(withdrawal, 'COMPLETED')
  expect((await balanceOf(other))?.totalBalance ?? '0').toBe('0')
})

test('withdrawals go on after the wallet and the blockchain service were stopped, and are paid once', async () => {
  const accountId = await newAccount()
  await depositOnChain(accountId, 'polygon', '20')
  await platform.stop('blockchain')
  const ids = [await withdraw(accountId, 'polygon', '1'), await withdraw(accountId, 'polygon', '2')]
  await platform.stop('wallet')
  await platform.start('wallet')
  await platform.start('blockchain')
  for (const id of ids) await reached(id, 'COMPLETED')
  const { address } = await walletOf(accountId, 'polygon')
  expect(Number(await heldAt('polygon', address))).toBe(17)
})

test('the tracker has the wallets and their movements', async () => {
  const lines = async () =>
    (await platform.to('log-tracker', '/tracker/v1').get('/log-messages?service=wallet&limit=100')).body.data as {
      event_type: string
      status: string
    }[]
  const has = async (event_type: string, status: string) =>
    (await lines()).some((line) => line.event_type === event_type && line.status === status)
  await until(async () => (await has('WALLET_CREATED', 'SUCCESS')) && (await has('WALLET_TRANSACTION', 'SUCCESS')))
  expect(await has('WALLET_TRANSACTION', 'PENDING')).toBe(true)
})
