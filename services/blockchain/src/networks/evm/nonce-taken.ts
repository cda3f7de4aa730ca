import { getAddress } from 'viem'
import { getBlock, getBlockNumber, getTransactionCount } from 'viem/actions'
import type { Attempt, NetworkSettings } from '../network'
import type { NodeClient } from './node-client'

/** How far back the transaction that took a nonce is looked for. */
const mostBlocks = 2 ** 16

/**
 * True when a transaction of somebody else's making has the nonce of these attempts, in a final block: none of them can
 * ever be included. The node must show that transaction; that it does not know ours proves nothing.
 */
export async function isNonceTaken(
  { confirmations }: NetworkSettings,
  client: NodeClient,
  sender: string,
  attempts: readonly Attempt[],
): Promise<boolean> {
  const [first] = attempts
  if (!first || first.nonce === null) return false
  const { nonce } = first
  const address = getAddress(sender)
  const final = (await getBlockNumber(client)) - BigInt(confirmations) + 1n
  if (final < 0n) return false
  const countAt = (blockNumber: bigint) => getTransactionCount(client, { address, blockNumber })
  if ((await countAt(final)) <= nonce) return false
  const block = await firstBlockAbove(countAt, nonce, final)
  const { transactions } = await getBlock(client, { blockNumber: block, includeTransactions: true })
  const taker = transactions.find((each) => each.from.toLowerCase() === address.toLowerCase() && each.nonce === nonce)
  return taker !== undefined && !attempts.some(({ txHash }) => txHash === taker.hash)
}

/** The first block after which the sender had sent more than `nonce` transactions. */
async function firstBlockAbove(
  countAt: (block: bigint) => Promise<number>,
  nonce: number,
  final: bigint,
): Promise<bigint> {
  let low = final > BigInt(mostBlocks) ? final - BigInt(mostBlocks) : 0n
  let high = final
  while (low < high) {
    const middle = (low + high) / 2n
    if ((await countAt(middle)) > nonce) high = middle
    else low = middle + 1n
  }
  return high
}
