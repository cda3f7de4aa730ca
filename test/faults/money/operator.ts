// An operator at the end of a run, who looks the orders that wait up on their chains and says what they are.
import { amountUnits } from './amounts'
import { heldAt } from './knowledge'
import { comparable, readNode, readSimulated } from './recount/chains'
import { rows } from './recount/read-files'
import { rpc } from './rpc'
import { count, type World } from './world'

/** By `bun run wallet:held`. Only while no transaction is on its way at the node: one that is may still pay. */
export async function decideOnHeld(world: World): Promise<void> {
  const held = await heldAt(world)
  const { stack, assets } = world
  if (held.length === 0 || (await transactionsOnTheirWay(stack.node.url)) > 0) return
  const chains = [await readNode(stack.node.url, [], []), readSimulated(stack.file('blockchain'))]
  const transfers = chains.flatMap(({ transactions }) => transactions.flatMap((each) => each.transfers))
  const used = new Set(
    rows<{ hash: string }>(
      stack.file('core-ledger'),
      "SELECT tx_hash AS hash FROM transactions WHERE tx_hash IS NOT NULL AND type = 'WITHDRAWAL'",
    ).map(({ hash }) => hash),
  )
  for (const { id, network, assetCode, amount, destinationAddress } of held) {
    const asset = assets.find(({ code }) => code === assetCode)
    const paid = transfers.find(
      (each) =>
        each.network === network &&
        !used.has(each.hash) &&
        comparable(network, each.to) === comparable(network, destinationAddress) &&
        each.token?.toLowerCase() === asset?.contract?.toLowerCase() &&
        each.amount === amountUnits(amount, asset?.decimals ?? 0),
    )
    if (paid) used.add(paid.hash)
    const { code } = await stack.run('wallet-held', paid ? ['--paid', id, '--hash', paid.hash] : ['--release', id])
    count(world, `held orders ${paid ? 'found paid' : 'released'}, exit code ${code}`)
  }
}

async function transactionsOnTheirWay(url: string): Promise<number> {
  const { pending, queued } = await rpc<{ pending: string; queued: string }>(url, 'txpool_status')
  return Number(pending) + Number(queued)
}
