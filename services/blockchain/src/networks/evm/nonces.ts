import type { Address } from 'viem'
import { getTransactionCount } from 'viem/actions'
import { answersOf } from '../answers'
import { missingBefore } from '../held-transaction'
import type { DraftRequest } from '../network'
import { WrongNodeError } from '../node-failure'
import type { EvmNodes } from './evm-nodes'
import { findTaker, nullWhenForgotten, type Seen } from './nonce-taken'

type Asked = Pick<DraftRequest, 'orders' | 'nextNonce' | 'isFirst' | 'inFlight' | 'lastFinal'>

/**
 * Gives the nonces of a sender's next transactions, one a call, lowest first. Rejects while nodes disagree on a nonce
 * that is higher than those of this queue, or one alone claims one far above: what is signed above the true one waits for
 * ever.
 */
export async function nonceGiver(nodes: EvmNodes, seen: Seen, address: Address, asked: Asked): Promise<() => number> {
  const count = await countOf(nodes, seen, address, asked)
  const gap = await gapOf(nodes, address, count, asked)
  let next = Math.max(asked.nextNonce ?? 0, count)
  return () => gap.shift() ?? next++
}

/**
 * How far above the next nonce of this queue a node is believed alone: later payments close such a gap, and nodes keep
 * what waits for it (geth 64 transactions of a sender, Besu nonces up to 200 ahead).
 */
const mostAhead = 64

/** The number of the sender's transactions. Other nodes are asked only where the first one claims unknown ones. */
async function countOf({ client, each }: EvmNodes, seen: Seen, address: Address, asked: Asked): Promise<number> {
  const { nextNonce, isFirst, lastFinal } = asked
  const blockTag = isFirst ? 'pending' : 'latest'
  const claimed = await getTransactionCount(client, { address, blockTag })
  if (claimed <= (nextNonce ?? 0)) return claimed
  const others = each.length < 2 ? [] : await answersOf(each.map((node) => getTransactionCount(node, { address })))
  const [least, most] = [Math.min(...others), Math.max(...others)]
  if (least < most) throw new WrongNodeError(`claims the nonce ${most} of ${address}, and another ${least}`)
  if (others.length > 1) return isFirst ? Math.min(...(await pendingCounts(each, address))) : least
  const next = Math.max(nextNonce ?? 0, ((await lastFinal()) ?? -1) + 1)
  if (claimed <= next + mostAhead || claimed <= (await shownCount(seen, address)) + mostAhead) return claimed
  throw new WrongNodeError(
    `claims the nonce ${claimed} of ${address}, shows nothing that took ${claimed - 1}, and ${next} is next here: ` +
      'a second node in …_RPC_URLS could confirm it',
  )
}

/** The number of the sender's final transactions, if the node shows the last of them: after a restore they are unknown. */
async function shownCount(seen: Seen, address: Address): Promise<number> {
  const final = await seen.look.final()
  if (!final) return 0
  const asked = getTransactionCount(seen.client, { address, blockNumber: final.number })
  const count = (await asked.catch(nullWhenForgotten)) ?? 0
  const taker = count === 0 ? null : await findTaker(seen, address, count - 1)
  return taker === null || taker === 'hidden' ? 0 : count
}

/**
 * The nonces below those in flight that neither this queue nor a node's pool has: a node claimed too high a one, or lost
 * what a restore made this service forget. All that is in flight above waits for them.
 */
async function gapOf({ each }: EvmNodes, address: Address, count: number, asked: Asked): Promise<number[]> {
  const taken = new Set(asked.inFlight.flatMap(({ attempt }) => attempt.nonce ?? []))
  const end = Math.max(0, ...taken)
  const freeFrom = (first: number): number[] => {
    const free: number[] = []
    for (let nonce = first; nonce < end && free.length < asked.orders.length; nonce += 1) {
      if (!taken.has(nonce)) free.push(nonce)
    }
    return free
  }
  if (freeFrom(count).length === 0) return []
  const pending = Math.min(...(await pendingCounts(each, address)))
  return freeFrom(Math.max(count, pending, ((await asked.lastFinal()) ?? -1) + 1))
}

/**
 * For which nonces a transaction waits that nobody has sent, by all nodes that answer; null for none. A node claimed too
 * high a nonce when it was signed; nothing but transactions with those nonces can help it on.
 */
export async function nonceGap({ each }: EvmNodes, address: Address, nonce: number): Promise<string | null> {
  const first = Math.max(...(await pendingCounts(each, address)))
  if (first >= nonce) return null
  const nonces = first === nonce - 1 ? `nonce ${first}` : `nonces ${first} to ${nonce - 1}`
  return missingBefore(`the ${nonces} of ${address}, which nobody has sent; later payments take them`)
}

/** The nodes' numbers of transactions, with those in their pools. */
const pendingCounts = (each: EvmNodes['each'], address: Address): Promise<number[]> =>
  answersOf(each.map((node) => getTransactionCount(node, { address, blockTag: 'pending' })))
