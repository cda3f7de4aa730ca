import { getBlock, getBlockNumber } from 'viem/actions'
import type { NetworkSettings } from '../network'
import { WrongNodeError } from '../node-failure'
import type { EvmNodes } from './evm-nodes'
import { findHeader, type Header } from './headers'
import type { NodeClient } from './node-client'

/** One look at the chain: repeated questions are sent to the nodes once. */
export interface ChainLook {
  /** The newest block that the nodes can return, whatever they claim. */
  head(): Promise<bigint>
  /** The newest block that is final. Null while there is none. */
  final(): Promise<Header | null>
  /**
   * The state of a block. Final: the confirming blocks were read, each has the previous one as its parent, and no
   * answering node has a different one in its place.
   */
  standing(block: { blockNumber: bigint; blockHash: string }): Promise<'final' | 'included' | 'abandoned'>
}

export function lookAtChain({ confirmations }: NetworkSettings, { client, agree }: EvmNodes): ChainLook {
  const headers = new Map<bigint, Promise<Header | null>>()
  let newest: Promise<bigint> | undefined
  const headerAt = (number: bigint) => headers.getOrInsertComputed(number, () => findHeader(client, number))
  const head = (): Promise<bigint> => {
    newest ??= newestBlock(client)
    return newest
  }
  async function isBuiltOn(first: Header): Promise<boolean> {
    const wanted = Array.from({ length: confirmations - 1 }, (_, i) => first.number + BigInt(i + 1))
    let parent = first
    for (const header of await Promise.all(wanted.map(headerAt))) {
      if (header?.parentHash !== parent.hash) return false
      parent = header
    }
    return true
  }
  const isFinal = async (header: Header): Promise<boolean> =>
    (await isBuiltOn(header)) && (await agree(header.number, header.hash))
  return {
    head,
    async final() {
      const number = (await head()) - BigInt(confirmations) + 1n
      const header = number < 0n ? null : await headerAt(number)
      return header && (await isFinal(header)) ? header : null
    },
    async standing({ blockNumber, blockHash }) {
      const header = await headerAt(blockNumber)
      if (header?.hash !== blockHash) return 'abandoned'
      if ((await head()) - blockNumber + 1n < BigInt(confirmations)) return 'included'
      return (await isFinal(header)) ? 'final' : 'included'
    },
  }
}

/** The number of the newest block. A claimed head does not count: only a readable block does. */
export async function newestBlock(client: NodeClient): Promise<bigint> {
  const claimed = await getBlockNumber(client)
  if (await findHeader(client, claimed)) return claimed
  const { number, hash } = await getBlock(client)
  const shown = number !== null && number < claimed ? await findHeader(client, number) : null
  if (shown && shown.hash === hash) return shown.number
  throw new WrongNodeError(`claims block ${claimed}, and cannot show it`)
}
