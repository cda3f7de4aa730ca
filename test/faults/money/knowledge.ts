// What the run knows and tells the recount.
import { join } from 'node:path'
import { rows } from './recount/read-files'
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

/** Waiting work by the platform's own lists, each with the text for a person. */
async function namedOf(world: World): Promise<Map<string, string>> {
  const named = new Map<string, string>()
  for (let after = ''; ; ) {
    const { status, body } = await world.client.send(
      'GET',
      'core-ledger',
      `/transactions/stuck?limit=100${after && `&after=${after}`}`,
    )
    if (status !== 200) break
    for (const { id, reason } of body as { id: string; reason: string | null }[]) if (reason) named.set(id, reason)
    after = body.at(-1)?.id ?? ''
    if (body.length < 100) break
  }
  for (const { id, why } of await heldAt(world)) named.set(id, `held: ${why}`)
  return named
}

export interface Held {
  id: string
  network: string
  assetCode: string
  amount: string
  destinationAddress: string
  why?: string
}

/** The wallet service's orders that wait for an operator; none while it cannot be asked. */
export async function heldAt({ stack }: World): Promise<Held[]> {
  const [open] = rows<{ n: number }>(stack.file('wallet'), 'SELECT count(*) n FROM orders WHERE due_at IS NOT NULL')
  if (open?.n === 0) return []
  const { code, said } = await stack.run(join(import.meta.dir, 'list-held.ts'))
  return code === 0 ? (JSON.parse(said) as Held[]) : []
}
