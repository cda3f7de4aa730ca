import type { Address } from 'viem'
import { getTransactionCount } from 'viem/actions'
import { answersOf } from '../answers'
import type { DraftRequest } from '../network'
import { WrongNodeError } from '../node-failure'
import type { EvmNodes } from './evm-nodes'

type Asked = Pick<DraftRequest, 'orders' | 'nextNonce' | 'isFirst' | 'inFlight' | 'lastFinal'>

/**
 * Gives the nonces of a sender's next transactions, one a call, lowest first. Rejects while nodes disagree on a nonce
 * that is higher than those of this queue: what is signed above the true one waits for ever.
 */
export async function nonceGiver(nodes: EvmNodes, address: Address, asked: Asked): Promise<() => number> {
  const count = await countOf(nodes, address, asked)
  const gap = await gapOf(nodes, address, count, asked)
  let next = Math.max(asked.nextNonce ?? 0, count)
  return () => gap.shift() ?? next++
}

/** The number of the sender's transactions. Other nodes are asked only where the first one claims unknown ones. */
async function countOf({ client, each }: EvmNodes, address: Address, { nextNonce, isFirst }: Asked): Promise<number> {
  const blockTag = isFirst ? 'pending' : 'latest'
  const claimed = await getTransactionCount(client, { address, blockTag })
  if (each.length < 2 || claimed <= (nextNonce ?? 0)) return claimed
  const mined = await answersOf(each.map((node) => getTransactionCount(node, { address, blockTag: 'latest' })))
  const [least, most] = [Math.min(...mined), Math.max(...mined)]
  if (least !== most) throw new WrongNodeError(`claims the nonce ${most} of ${address}, and another ${least}`)
  return isFirst ? await pendingCount(each, address) : least
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
  const [pending, lastFinal] = [await pendingCount(each, address), await asked.lastFinal()]
  return freeFrom(Math.max(count, pending, (lastFinal ?? -1) + 1))
}

/** The lowest of the nodes' numbers of transactions, with those in their pools. */
const pendingCount = async (each: EvmNodes['each'], address: Address): Promise<number> =>
  Math.min(...(await answersOf(each.map((node) => getTransactionCount(node, { address, blockTag: 'pending' })))))
