// Money in and out by a real EVM node: the real wallet, blockchain and core ledger services, with ETH and a token of 6 decimals.
import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { getDeploymentHoldings } from '@bursar/contracts/wallet'
import { inOrder } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { type Anvil, anvilBinary, bank, startAnvil } from '../../services/blockchain/test/evm/anvil'
import { type Coin, type OnChainMoney, onChainMoney } from './on-chain-money'

const confirmations = 3
const ether = 10n ** 18n
const stranger = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
const setBlocked = [
  {
    type: 'function',
    name: 'setBlocked',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'address' }, { type: 'bool' }],
    outputs: [],
  },
] as const
/** The token refuses to go there. */
const refused = '0x000000000000000000000000000000000000dEaD'
const eth: Coin = { network: 'ethereum', code: 'ETH', decimals: 18, contract: null }

describe.skipIf(!anvilBinary)('on anvil', () => {
  let node: Anvil
  let platform: TestPlatform
  let money: OnChainMoney
  let token: Coin

  beforeAll(async () => {
    node = await startAnvil()
    const contract = await node.deployToken()
    token = { network: 'ethereum', code: 'TUSD', decimals: 6, contract }
    platform = await testPlatform(['customer', 'account', 'core-ledger', 'wallet', 'blockchain'], {
      ETHEREUM_RPC_URLS: node.url,
      ETHEREUM_CHAIN_ID: '31337',
      ETHEREUM_CONFIRMATIONS: String(confirmations),
      BLOCKCHAIN_TOKENS: `ethereum:TUSD:${contract}:6`,
      NETWORK_POLL_MS: '20',
    })
    money = onChainMoney(platform, () => node.mine())
    await money.newAsset(eth)
    await money.newAsset(token)
  })
  afterAll(async () => {
    await platform?.close()
    await node?.kill()
  })

  /** An account that got this on the chain. */
  async function accountWith(ethers: bigint, tokens: bigint) {
    const id = await money.newAccount()
    const address = (await money.walletOf(id, 'ethereum')) as `0x${string}`
    const deposits = []
    if (ethers > 0n) {
      const txHash = await node.pay(address, ethers)
      deposits.push({ txHash, found: await money.credited(id) })
    }
    if (tokens > 0n) {
      const txHash = await node.write(token.contract as `0x${string}`, 'transfer', [address, tokens])
      deposits.push({ txHash, found: await money.credited(id) })
    }
    return { id, address, deposits }
  }
  const feeOf = async (hash: string): Promise<bigint> => {
    const receipt = await node.client.getTransactionReceipt({ hash: hash as `0x${string}` })
    return receipt.gasUsed * receipt.effectiveGasPrice
  }

  inOrder('money in, money out, and what is left', (step) => {
    step(
      'ETH: a deposit is credited by its hash, a withdrawal is paid once, and its fee is the chain’s alone',
      async () => {
        const { id, address, deposits } = await accountWith(3n * ether, 0n)
        expect(deposits[0]?.found.txHash).toBe(deposits[0]?.txHash as string)
        expect(await money.balanceOf(id, eth)).toEqual(['3', '0', '3'])
        const before = await node.client.getBalance({ address: stranger })
        const withdrawal = await money.withdraw(id, eth, '1.25', stranger)
        const { txHash } = await money.reached(withdrawal, 'COMPLETED')
        expect(await money.balanceOf(id, eth)).toEqual(['1.75', '0', '1.75'])
        expect((await node.client.getBalance({ address: stranger })) - before).toBe((125n * ether) / 100n)
        const fee = await feeOf(txHash as string)
        expect(fee).toBeGreaterThan(0n)
        expect(await node.client.getBalance({ address })).toBe((175n * ether) / 100n - fee)
        expect(await node.client.getTransactionCount({ address })).toBe(1)
      },
    )

    step('a token with 6 decimals: the same, with the fee paid in ETH', async () => {
      const { id, address, deposits } = await accountWith(ether, 10_000_000n)
      expect(deposits.map(({ found }) => found.amount)).toEqual(['1', '10'])
      const contract = token.contract as `0x${string}`
      const before = await node.balanceOf(contract, stranger)
      const { txHash } = await money.reached(await money.withdraw(id, token, '2.5', stranger), 'COMPLETED')
      expect(await money.balanceOf(id, token)).toEqual(['7.5', '0', '7.5'])
      expect(await money.balanceOf(id, eth)).toEqual(['1', '0', '1'])
      expect((await node.balanceOf(contract, stranger)) - before).toBe(2_500_000n)
      expect(await node.balanceOf(contract, address)).toBe(7_500_000n)
      expect(await node.client.getBalance({ address })).toBe(ether - (await feeOf(txHash as string)))
    })

    step('a withdrawal that the token contract reverts fails, and its hold is released', async () => {
      const { id, address } = await accountWith(ether, 5_000_000n)
      const contract = token.contract as `0x${string}`
      await node.client.writeContract({
        account: bank,
        address: contract,
        abi: setBlocked,
        functionName: 'setBlocked',
        args: [refused, true],
      })
      await node.mine()
      const withdrawal = await money.withdraw(id, token, '1', refused)
      const failed = await money.reached(withdrawal, 'FAILED')
      expect(failed.txHash).toBeNull()
      expect(await money.balanceOf(id, token)).toEqual(['5', '0', '5'])
      expect(await node.balanceOf(contract, address)).toBe(5_000_000n)
    })

    step('an address without coins for the fee: another one of the deployment pays', async () => {
      const { id, address } = await accountWith(0n, 4_000_000n)
      const rich = await accountWith(2n * ether, 4_000_000n)
      const { txHash } = await money.reached(await money.withdraw(id, token, '4', stranger), 'COMPLETED')
      expect(await node.balanceOf(token.contract as `0x${string}`, address)).toBe(4_000_000n)
      const transaction = await node.client.getTransaction({ hash: txHash as `0x${string}` })
      expect(transaction.from).not.toBe(address.toLowerCase() as `0x${string}`)
      expect(await money.balanceOf(id, token)).toEqual(['0', '0', '0'])
      expect(rich.id).not.toBe(id)
    })

    step('what the addresses hold is what the ledger owes, less the fees of the coin', async () => {
      const { items } = await money.calls().call(getDeploymentHoldings, { params: { network: 'ethereum' } })
      const held = items.flatMap(({ holdings }) => holdings)
      const tokens = held.filter(({ contractAddress }) => contractAddress !== null)
      // 7.5 + 5 + 4 + 4 - 4
      expect(tokens.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(16_500_000n)
    })
  })
})
