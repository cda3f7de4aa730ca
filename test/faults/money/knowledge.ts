// What the run knows and tells the recount.
import { heldOrders } from '@bursar/contracts/wallet'
import { createClient, createIdentity, openInternalSecret } from '@bursar/http'
import { type Knowledge, ownKey } from './recount/state'
import type { World } from './world'

const evmNetworks = ['ethereum', 'polygon']

export async function knowledgeOf(world: World, excused: ReadonlySet<string>): Promise<Knowledge> {
  const own = new Map<string, string | null>()
  for (const { id, addresses } of world.accounts)
    for (const [network, address] of addresses) own.set(ownKey(network, address), id)
  for (const network of evmNetworks) own.set(ownKey(network, world.hot), null)
  const { promised, payments, byHand, orders } = world
  return { promised, payments, byHand, orders, own, excused, named: await namedOf(world) }
}

/** What the platform's own lists say waits, each with the words that a person reads there. */
async function namedOf(world: World): Promise<Map<string, string>> {
  const named = new Map<string, string>()
  for (let after = ''; ; ) {
    const { status, body } = await world.client.send(
      'GET',
      'core-ledger',
      `/transactions/stuck?limit=100${after && `&after=${after}`}`,
      { patienceMs: 10_000 },
    )
    if (status !== 200) break
    for (const { id, reason } of body as { id: string; reason: string | null }[]) if (reason) named.set(id, reason)
    after = body.at(-1)?.id ?? ''
    if (body.length < 100) break
  }
  for (const { id, why } of await heldAt(world)) named.set(id, `held: ${why}`)
  return named
}

interface Held {
  id: string
  network: string
  assetCode: string
  amount: string
  destinationAddress: string
  why?: string
}

/** The wallet service's orders that wait for an operator; none while it cannot be asked. */
export async function heldAt({ stack }: World): Promise<Held[]> {
  const identity = createIdentity('wallet', openInternalSecret(stack.dataDir, undefined))
  const client = createClient({ name: 'wallet', identity, urls: { wallet: stack.url('wallet') } as never })
  return await client.call(heldOrders).then(
    ({ items }) => items,
    () => [],
  )
}
