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

const yearTenThousand = Date.UTC(10_000)

/** The time of a block by its timestamp, in seconds. */
export function timeOf(timestamp: bigint): Date {
  const ms = Number(timestamp) * 1000
  if (ms < yearTenThousand) return new Date(ms)
  throw new WrongNodeError(`gave a block with the time ${timestamp}`)
}

/** Fails when the node returns another block than was asked for. */
export function requireNumber<B extends { number: bigint | null }>(block: B, asked: bigint): B {
  if (block.number === asked) return block
  throw new WrongNodeError('gave another block than was asked for')
}

/** A block by its number; null when there is none. Fails when the node returns another one. */
export async function findHeader(client: NodeClient, blockNumber: bigint): Promise<Header | null> {
  try {
    const { hash, parentHash, timestamp } = requireNumber(await getBlock(client, { blockNumber }), blockNumber)
    return { number: blockNumber, hash, parentHash, at: timeOf(timestamp) }
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null
    throw error
  }
}
