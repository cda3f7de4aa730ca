// An operator at the end of a run, who looks the orders that wait up on their chains and says what they are.
import { amountUnits } from './amounts'
import { type Held, heldAt } from './knowledge'
import { comparable, readNode, readSimulated } from './recount/chains'
import { rows } from './recount/read-files'
import { rpc } from './rpc'
import { count, type World } from './world'

const shiftMs = 30_000

/** During a run: what has waited for half a minute, and is not being sent. */
export async function keepShift(world: World, isOver: () => boolean): Promise<void> {
  let before = new Set<string>()
  let next = performance.now() + shiftMs
  while (!isOver()) {
    await Bun.sleep(200)
    if (performance.now() < next) continue
    next = performance.now() + shiftMs
    try {
      before = await lookAtHeld(world, before)
    } catch (error) {
      count(world, `the operator failed: ${(error as Error).message}`)
    }
  }
}

/** Those that are held now. */
async function lookAtHeld(world: World, before: ReadonlySet<string>): Promise<Set<string>> {
  const sql = "SELECT id FROM sends WHERE due_at IS NOT NULL AND status <> 'accepted'"
  const sending = new Set(rows<{ id: string }>(world.stack.file('blockchain'), sql).map(({ id }) => id))
  const held = await heldAt(world)
  await decide(
    world,
    held.filter(({ id }) => before.has(id) && !sending.has(id)),
  )
  return new Set(held.map(({ id }) => id))
}

/** By `bun run wallet:held`. Only while no transaction is on its way at the node: one that is may still pay. */
export const decideOnHeld = async (world: World): Promise<void> => await decide(world, await heldAt(world), true)

/** `isAll`: there is none beside them. */
async function decide(world: World, held: readonly Held[], isAll = false): Promise<void> {
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
  const unpaid: Held[] = []
  for (const order of held) {
    const { id, network, assetCode, amount, destinationAddress } = order
    const asset = assets.find(({ code }) => code === assetCode)
    const paid = transfers.find(
      (each) =>
        each.network === network &&
        !used.has(each.hash) &&
        comparable(network, each.to) === comparable(network, destinationAddress) &&
        each.token?.toLowerCase() === asset?.contract?.toLowerCase() &&
        each.amount === amountUnits(amount, asset?.decimals ?? 0),
    )
    // What looks like its payment may be another one's: the wallet service refuses it then.
    if (paid && (await act(world, 'found paid', ['--paid', id, '--hash', paid.hash]))) used.add(paid.hash)
    else unpaid.push(order)
  }
  const restored = unpaid.filter(({ why }) => why === 'restored')
  const endsAll = isAll && restored.length > fewAtOnce
  if (endsAll) await act(world, 'let go together', ['--end'])
  for (const { id } of endsAll ? unpaid.filter((each) => !restored.includes(each)) : unpaid)
    await act(world, 'released', ['--release', id])
}

/** So many are released one by one. */
const fewAtOnce = 3

async function act(world: World, what: string, args: string[]): Promise<boolean> {
  const { code } = await world.stack.run('wallet-held', args)
  count(world, `held orders ${what}, exit code ${code}`)
  return code === 0
}

async function transactionsOnTheirWay(url: string): Promise<number> {
  const { pending, queued } = await rpc<{ pending: string; queued: string }>(url, 'txpool_status')
  return Number(pending) + Number(queued)
}
