// What portfolios do on the chain by transactions of their own, and what others do with what they allowed.
import { hundredths } from '../amounts'
import { chainId, outsider } from '../node'
import { callData, hex, selectors } from '../rpc'
import { type Account, count, freshAddress, type World } from '../world'

const portfolio = ({ random, accounts }: World): Account =>
  random.pick(accounts.filter(({ type }) => type === 'PORTFOLIO'))

/** To a stranger, to another portfolio, or to an account's deposit address. */
const target = (world: World): string => {
  const { random, accounts } = world
  return random.chance(0.5) ? freshAddress(random, 'ethereum') : (random.pick(accounts).addresses.get('ethereum') ?? '')
}

export async function sendCoins(world: World): Promise<void> {
  const value = hundredths(world.random.between(1, 200), 18)
  await execute(world, portfolio(world), { to: target(world), value: hex(value), data: '0x' })
}

export async function sendTokens(world: World): Promise<void> {
  const amount = hundredths(world.random.between(1, 300), 6)
  const data = callData(selectors.transfer, target(world), amount)
  await execute(world, portfolio(world), { to: world.stack.node.token, value: '0x0', data })
}

/** Allows somebody outside to take tokens, who then does: no order of ours is behind that transaction. */
export async function allowAndBeTaken(world: World): Promise<void> {
  const { node } = world.stack
  const from = portfolio(world)
  const amount = hundredths(world.random.between(1, 200), 6)
  const data = callData(selectors.approve, outsider, amount)
  const done = await execute(world, from, { to: node.token, value: '0x0', data })
  if (!done) return
  const taking = callData(selectors.transferFrom, from.addresses.get('ethereum') ?? '', outsider, amount)
  for (let tries = 0; tries < 3; tries++) {
    await Bun.sleep(1500)
    const hash = await node.send({ from: outsider, to: node.token, data: taking, gas: hex(200_000n) }).catch(() => null)
    if (hash) return count(world, 'tokens taken by somebody outside')
  }
}

async function execute(world: World, { id }: Account, transactionData: object): Promise<boolean> {
  const body = { accountId: id, chainId, transactionData }
  const path = '/api/v1/core/transactions/portfolio/execute'
  const { status } = await world.client.send('POST', 'core-ledger', path, { body, isBare: true, patienceMs: 15_000 })
  count(world, `executions ${status}`)
  return status === 200
}
