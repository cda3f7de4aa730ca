// Money that goes out, or to another account.
import { amountText, hundredths } from '../amounts'
import { type Asset, freshAddress, type World } from '../world'
import { keep } from './keep'

export const withdraw = (world: World) => order(world, (asset) => freshAddress(world.random, asset.network))

/** To the address of an account here, its own among them: who is paid gets a deposit. */
export const withdrawToOurselves = (world: World) =>
  order(world, ({ network }) => world.random.pick(world.accounts).addresses.get(network) ?? '')

/** To the platform's own address: must be refused. */
export const withdrawToHotWallet = (world: World) =>
  order(world, ({ network }) =>
    network === 'ethereum' || network === 'polygon' ? world.hot : freshAddress(world.random, network),
  )

/** To addresses that the sandbox, or a list at times, takes for sanctioned. */
export const withdrawToListed = (world: World) =>
  order(world, ({ network }) =>
    network === 'ethereum' && world.random.chance(0.5)
      ? world.random.pick(world.listable)
      : freshAddress(world.random, network === 'solana' ? 'polygon' : network, '9999'),
  )

async function order(world: World, destinationOf: (asset: Asset) => string): Promise<void> {
  const { random } = world
  const [account, asset] = [random.pick(world.accounts), random.pick(world.assets)]
  const destination = destinationOf(asset)
  const amount = amountFrom(world, asset)
  const { id: assetId, network, decimals } = asset
  const body = {
    accountId: account.id,
    network,
    assetId,
    amount: amountText(amount, decimals),
    destinationAddress: destination,
  }
  const key = crypto.randomUUID()
  const send = () => world.client.send('POST', 'core-ledger', '/transactions/withdrawal', { body, key })
  const answers = random.chance(0.1) ? await Promise.all([send(), send()]) : [await send()]
  for (const answer of answers)
    keep(world, answer, { type: 'WITHDRAWAL', accountId: account.id, toAccountId: null, assetId, amount, destination })
}

export async function transfer(world: World): Promise<void> {
  const { random } = world
  const [from, to] = [random.pick(world.accounts), random.pick(world.accounts)]
  const asset = random.pick(world.assets)
  if (from === to) return
  const amount = amountFrom(world, asset)
  const body = {
    fromAccountId: from.id,
    toAccountId: to.id,
    assetId: asset.id,
    amount: amountText(amount, asset.decimals),
  }
  const answer = await world.client.send('POST', 'core-ledger', '/transactions/transfer', { body })
  keep(world, answer, {
    type: 'TRANSFER',
    accountId: from.id,
    toAccountId: to.id,
    assetId: asset.id,
    amount,
    destination: null,
  })
}

/** Mostly a little, at times more than there is. */
const amountFrom = ({ random }: World, { decimals }: Asset): bigint =>
  hundredths(random.chance(0.05) ? random.between(10_000, 99_999) : random.between(1, 700), decimals)
