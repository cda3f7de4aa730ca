import { BlockNotFoundError, type Hash } from 'viem'
import { getBlock } from 'viem/actions'
import { WrongNodeError } from '../node-failure'
import type { NodeClient } from './node-client'

export interface Header {
  number: bigint
  hash: Hash
  parentHash: Hash
  at: Date
}

/** The time of a block by its timestamp, in seconds. */
export const timeOf = (timestamp: bigint): Date => new Date(Number(timestamp) * 1000)

/** A block by its number; null when there is none. Fails when the node returns another one. */
export async function findHeader(client: NodeClient, blockNumber: bigint): Promise<Header | null> {
  try {
    const { number, hash, parentHash, timestamp } = await getBlock(client, { blockNumber })
    if (number !== blockNumber) throw new WrongNodeError('gave another block than was asked for')
    return { number, hash, parentHash, at: timeOf(timestamp) }
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null
    throw error
  }
}
