// What the tests of money on chains share: accounts and their wallets, withdrawals, and what books and chains hold.
import type { ServiceName } from '@bursar/contracts/services'
import { type Client, createClient, createIdentity, identityHeader, openInternalSecret } from '@bursar/http'
import { until } from '@bursar/testing'
import type { TestPlatform } from '@bursar/testing/platform'

/** An asset of the ledger. `contract` is null for the network's own coin. */
export interface Coin {
  network: string
  code: string
  decimals: number
  contract: string | null
}

export interface Movement {
  id: string
  type: string
  status: string
  txHash: string | null
  amount: string
}

export type OnChainMoney = ReturnType<typeof onChainMoney>

/** `advance` is called while waiting, for chains that make no blocks by themselves. */
export function onChainMoney(platform: TestPlatform, advance: () => unknown = () => {}) {
  const ledger = () => platform.to('core-ledger')
  const assetIds = new Map<string, string>()
  let made = 0

  async function newAsset({ network, code, decimals, contract }: Coin): Promise<void> {
    const body = { code, name: code, decimalPlaces: decimals, address: contract ?? 'native', network }
    assetIds.set(code, (await ledger().create('/assets', body)).id)
  }

  async function newAccount(fields: object = {}): Promise<string> {
    const customer = await platform.to('customer').create('/customers', { externalId: `c-${++made}`, status: 'active' })
    const body = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId: customer.id, ...fields }
    const { id } = await platform.to('account').create('/accounts', body)
    await platform.settle()
    return id
  }

  const walletOf = async (accountId: string, network: string): Promise<string> => {
    const path = `/wallets/account/${accountId}/network/${network}?createIfNotExists=true`
    const { body } = await platform.to('wallet').get<{ address: string }>(path)
    // Watched before it is paid to.
    await platform.settle()
    return body.address
  }

  const transactionOf = async (id: string): Promise<Movement> => (await ledger().get(`/transactions/${id}`)).body
  const screen = (id: string) => ledger().post('/transactions/complete-screening', { id, isApproved: true })

  const reached = (id: string, status: string): Promise<Movement> =>
    until(
      async () => {
        await advance()
        const found = await transactionOf(id)
        return found.status === status && found
      },
      { what: `${id} to be ${status}` },
    )

  /** Not approved yet. */
  async function order(accountId: string, { network, code }: Coin, amount: string, destinationAddress: string) {
    const body = { accountId, network, assetId: assetIds.get(code), amount, destinationAddress }
    const { id } = await ledger().create<{ id: string }>('/transactions/withdrawal', body)
    return id
  }

  return {
    newAsset,
    newAccount,
    walletOf,
    transactionOf,
    screen,
    reached,
    /** The deposit of a payment on the chain, once it is seen, screened and credited. */
    async credited(accountId: string): Promise<Movement> {
      const { id } = await until(
        async () => {
          await advance()
          const { body } = await ledger().get<Movement[]>(`/transactions?accountId=${accountId}`)
          return body.find(({ type, status }) => type === 'DEPOSIT' && status === 'PENDING')
        },
        { what: 'the deposit to be seen' },
      )
      await screen(id)
      return await reached(id, 'COMPLETED')
    },
    order,
    /** Approved; it is on its way. */
    async withdraw(accountId: string, coin: Coin, amount: string, destinationAddress: string): Promise<string> {
      const id = await order(accountId, coin, amount, destinationAddress)
      await screen(id)
      return id
    },
    async transfer(fromAccountId: string, toAccountId: string, coin: Coin, amount: string): Promise<Movement> {
      const body = { fromAccountId, toAccountId, assetId: assetIds.get(coin.code), amount }
      const { id } = await ledger().create('/transactions/transfer', body)
      await screen(id)
      return await reached(id, 'COMPLETED')
    },
    /** Available, frozen and total of one asset. */
    async balanceOf(accountId: string, { code }: Coin): Promise<[string, string, string]> {
      const { body } = await ledger().get(`/balances/account/${accountId}`)
      const found = body.find((each: { assetCode: string }) => each.assetCode === code)
      return [found?.availableBalance ?? '0', found?.frozenBalance ?? '0', found?.totalBalance ?? '0']
    },
    /** The balance of an address on the chain; decimal. */
    async heldAt(address: string, { network, code }: Coin): Promise<string> {
      const { body } = await platform.to('blockchain').get(`/addresses/${address}?network=${network}`)
      return body.data.find((each: { currency: string }) => each.currency === code)?.amount ?? '0'
    },
    /** Calls as the core ledger makes them. */
    calls: () => callsOf(platform),
    /** Headers of a participant's call to the account service, as the gateway sends them. */
    async asParticipant(participantId: string): Promise<Record<string, string>> {
      const caller = { kind: 'participant', subject: participantId, participantId, roles: [] } as const
      return { [identityHeader]: await identityIn(platform).sign(caller, 'account') }
    },
  }
}

const identityIn = ({ dataDir }: TestPlatform) =>
  createIdentity('core-ledger', openInternalSecret(dataDir, undefined), () => new Date())

function callsOf(platform: TestPlatform): Client {
  const names: ServiceName[] = ['account', 'wallet', 'blockchain']
  const urls = Object.fromEntries(names.map((name) => [name, platform.url(name)])) as Record<ServiceName, string>
  // A busy machine takes longer than a service waits.
  return createClient({ name: 'core-ledger', identity: identityIn(platform), urls, timeoutMs: 60_000 })
}
