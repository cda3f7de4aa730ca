// Money in and out on Solana: the real wallet, blockchain and core ledger services, by RPC on litesvm.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { getDeploymentHoldings } from '@bursar/contracts/wallet'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { nobody } from '@bursar/testing/service'
import { openBank, type SolanaBank, sol, tokenAccount } from '../../services/blockchain/test/solana/solana-bank'
import { type SolanaNode, solanaNode } from '../../services/blockchain/test/solana/solana-node'
import { type Coin, type OnChainMoney, onChainMoney } from './on-chain-money'

const coin: Coin = { network: 'solana', code: 'SOL', decimals: 9, contract: null }
let node: SolanaNode
let bank: SolanaBank
let platform: TestPlatform
let money: OnChainMoney
let token: Coin & { contract: Awaited<ReturnType<SolanaBank['newMint']>> }
let stranger: string

beforeAll(async () => {
  node = solanaNode()
  bank = await openBank(node)
  const contract = await bank.newMint()
  token = { network: 'solana', code: 'TUSD', decimals: 6, contract }
  stranger = bank.address
  platform = await testPlatform(['customer', 'account', 'core-ledger', 'wallet', 'blockchain'], {
    SOLANA_RPC_URLS: node.url,
    BLOCKCHAIN_TOKENS: `solana:TUSD:${contract}:6`,
    NETWORK_POLL_MS: '20',
  })
  money = onChainMoney(platform, () => node.finalize())
  const { items } = await money.calls().call(getDeploymentHoldings, { params: { network: 'solana' } })
  // It pays the fees of accounts that name no fee payer.
  node.fund(items[0]?.address as string, sol)
  await money.newAsset(coin)
  await money.newAsset(token)
})
afterAll(async () => {
  await platform?.close()
  await node?.stop()
})

/** The lamports of an address. */
const lamportsOf = (address: string): bigint => node.svm.getBalance(address as never) ?? 0n

test('SOL: a deposit is credited, and a withdrawal is paid out of it', async () => {
  const accountId = await money.newAccount()
  const address = await money.walletOf(accountId, 'solana')
  const hash = await bank.pay(3n * sol, address)
  expect(await money.credited(accountId)).toMatchObject({ txHash: hash, amount: '3' })
  expect(await money.balanceOf(accountId, coin)).toEqual(['3', '0', '3'])
  const before = lamportsOf(stranger)
  const { txHash } = await money.reached(await money.withdraw(accountId, coin, '1.25', stranger), 'COMPLETED')
  expect(await money.balanceOf(accountId, coin)).toEqual(['1.75', '0', '1.75'])
  expect(lamportsOf(stranger) - before).toBe(1_250_000_000n)
  expect(node.processed.filter(({ signature }) => signature === txHash)).toMatchObject([{ err: null }])
})

test('an SPL token: the fee payer of its token account pays the fee, and the account keeps its own coins', async () => {
  const { body: feePayer } = await platform.to('account').get('/accounts/fee-payer', await money.asParticipant(nobody))
  await platform.settle()
  const feeAddress = await money.walletOf(feePayer.id, 'solana')
  node.fund(feeAddress, sol)
  const accountId = await money.newAccount()
  const body = { tokenAddress: token.contract, feePayerAccountId: feePayer.id }
  const made = await platform.to('wallet').post(`/wallets/${accountId}/token-account`, body)
  expect(made.status).toBe(201)
  const owner = await money.walletOf(accountId, 'solana')
  expect(made.body.address).toBe(await tokenAccount(owner, token.contract))
  const hash = await bank.mintTo(owner, 10_000_000n, token.contract)
  expect(await money.credited(accountId)).toMatchObject({ txHash: hash, amount: '10' })
  const { txHash } = await money.reached(await money.withdraw(accountId, token, '2.5', stranger), 'COMPLETED')
  expect(await money.balanceOf(accountId, token)).toEqual(['7.5', '0', '7.5'])
  expect(await money.heldAt(owner, token)).toBe('7.5')
  expect(await money.heldAt(stranger, token)).toBe('2.5')
  expect(lamportsOf(owner)).toBe(0n)
  expect(lamportsOf(feeAddress)).toBeLessThan(sol)
  expect(node.processed.find(({ signature }) => signature === txHash)?.keys[0]).toBe(feeAddress)
})
