// What a withdrawal costs from its order to COMPLETED: statements and commits of the services that carry it out, counted by
// their stores. The bounds are what it costs today and a little more: what comes back unnoticed fails here.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { ServiceName } from '@bursar/contracts/services'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { type Coin, type OnChainMoney, onChainMoney } from './on-chain-money'

setDefaultTimeout(120_000)

const withdrawals = 256
const pol: Coin = { network: 'polygon', code: 'POL', decimals: 18, contract: null }
const stranger = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
const payers = ['core-ledger', 'wallet', 'blockchain'] as const
/** For each withdrawal. */
const bounds = {
  'core-ledger': { statements: 100, bodies: 10 },
  wallet: { statements: 100, bodies: 10 },
  blockchain: { statements: 100, bodies: 10 },
}

let platform: TestPlatform
let money: OnChainMoney
beforeAll(async () => {
  platform = await testPlatform(['customer', 'account', 'quote', ...payers])
  money = onChainMoney(platform)
  await money.newAsset(pol)
})
afterAll(() => platform.close())

async function countsOf(name: ServiceName) {
  const { body } = await platform.to(name, '').get<string>('/metrics')
  const figure = (metric: string) => Number(new RegExp(`^${metric}\\{.*\\} (\\d+)$`, 'm').exec(body)?.[1])
  return { statements: figure('bursar_statements'), bodies: figure('bursar_commit_bodies') }
}
const countAll = async () =>
  Object.fromEntries(await Promise.all(payers.map(async (name) => [name, await countsOf(name)])))

test('statements and commits', async () => {
  const accountId = await money.newAccount()
  const address = await money.walletOf(accountId, pol.network)
  await platform.to('blockchain').create('/simulated/polygon/deposits', { address, asset: 'POL', amount: '10000' })
  await money.credited(accountId)
  const pay = async () => {
    const ids = await Promise.all(Array.from({ length: withdrawals }, () => money.order(accountId, pol, '1', stranger)))
    await Promise.all(ids.map(money.screen))
    await platform.settle(60_000)
    for (const id of ids) await money.reached(id, 'COMPLETED')
  }
  // Statements are prepared by the first ones.
  await pay()
  const before = await countAll()
  await pay()
  const after = await countAll()
  for (const name of payers) {
    const spent = {
      statements: (after[name].statements - before[name].statements) / withdrawals,
      bodies: (after[name].bodies - before[name].bodies) / withdrawals,
    }
    console.log(name, spent)
    expect(spent.statements).toBeLessThanOrEqual(bounds[name].statements)
    expect(spent.bodies).toBeLessThanOrEqual(bounds[name].bodies)
  }
})
