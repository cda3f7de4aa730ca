// Money that comes in: by a chain, by hand, and the same transfer by both in either order.
import { amountText, hundredths } from '../amounts'
import { outsider } from '../node'
import { rpc } from '../rpc'
import { type Account, type Asset, count, handmadeNetwork, type World } from '../world'
import { keep } from './keep'

/** On the node, or on a simulated network. */
export async function depositOnChain(world: World): Promise<void> {
  await payIn(world, world.random.pick(world.accounts), world.random.pick(onChains(world)))
}

/** The same transfer is recorded by hand as well: before the chain's event, after it, or at once; with its index or not. */
export async function depositTwice(world: World): Promise<void> {
  const { random } = world
  const [account, asset] = [random.pick(world.accounts), random.pick(onChains(world))]
  const paid = await payIn(world, account, asset)
  if (!paid) return
  // The chain is looked at every 100 ms, and final after some blocks.
  await Bun.sleep(random.pick([0, 0, 300, 3000]))
  const logIndex = random.chance(0.5) ? await placeOf(world, asset, paid.hash) : undefined
  await byHand(world, { account, asset, ...paid, ...(logIndex === undefined ? {} : { logIndex }) })
  if (random.chance(0.3)) await byHand(world, { account, asset, ...paid })
}

/** Of no chain: the sandbox takes it. */
export async function depositByHandAlone(world: World): Promise<void> {
  const { random, assets } = world
  const asset = assets.find(({ network }) => network === handmadeNetwork) as Asset
  const account = random.pick(world.accounts.filter(({ type }) => type !== 'PORTFOLIO'))
  const hash = `voucher-${crypto.randomUUID()}`
  const from = 'pier-of-nobody'
  await byHand(world, { account, asset, hash, from, amount: hundredths(random.between(1, 900), asset.decimals) })
}

const onChains = ({ assets }: World) => assets

interface Paid {
  hash: string
  from: string
  amount: bigint
}

async function payIn(world: World, { addresses }: Account, asset: Asset): Promise<Paid | null> {
  const { stack, client, random } = world
  const { network, contract, code, decimals } = asset
  const to = addresses.get(network) ?? ''
  const amount = hundredths(random.between(1, 2000), decimals)
  count(world, `deposits of ${code}`)
  if (network === 'ethereum') {
    const from = contract === null ? outsider : undefined
    const hash = await stack.node.pay(to, contract, amount, from).catch(() => null)
    return hash === null ? null : { hash, amount, from: from ?? outsider }
  }
  const body = { address: to, asset: contract ?? code, amount: amountText(amount, decimals) }
  const { status, body: paid } = await client.send('POST', 'blockchain', `/simulated/${network}/deposits`, { body })
  if (status !== 201) return null
  return { hash: paid.transactionHash, amount, from: to }
}

/** Where in its transaction the transfer stands: 0 for coins, behind its place among the logs for tokens. */
async function placeOf({ stack }: World, { network, contract }: Asset, hash: string): Promise<number | undefined> {
  if (network !== 'ethereum') return contract === null ? 0 : 1
  if (contract === null) return 0
  for (let looks = 0; looks < 40; looks++) {
    const receipt = await rpc<{ logs: unknown[] } | null>(stack.node.url, 'eth_getTransactionReceipt', [hash]).catch(
      () => null,
    )
    if (receipt) return 1
    await Bun.sleep(100)
  }
  return undefined
}

interface ByHand extends Paid {
  account: Account
  asset: Asset
  logIndex?: number
}

async function byHand(world: World, { account, asset, hash, from, amount, logIndex }: ByHand): Promise<void> {
  const { id: assetId, network, decimals } = asset
  world.byHand.add(`${network} ${hash}`)
  const body = {
    accountId: account.id,
    network,
    assetId,
    amount: amountText(amount, decimals),
    sourceAddress: from,
    txHash: hash,
    logIndex,
  }
  const answer = await world.client.send('POST', 'core-ledger', '/transactions/deposit', { body })
  count(world, `deposits by hand ${answer.status}`)
  keep(world, answer, { type: 'DEPOSIT', accountId: account.id, toAccountId: null, assetId, amount, destination: null })
}
