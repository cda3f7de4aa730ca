import { type Block, type Hex, numberToHex, type TransactionReceipt, toHex } from 'viem'
import { WrongNodeError } from '../node-failure'
import { bloomBits, bloomHas, bloomOf, explainsBloom } from './bloom'
import { transferTopic } from './erc20'
import { timeOf } from './headers'
import { isAnswered, type NodeClient } from './node-client'
import { findReceipt } from './receipts'

export type FullBlock = Block<bigint, true, 'latest'>

/** Where a movement of this block is. */
export const placeIn = ({ number, hash, timestamp }: FullBlock) => ({
  block: Number(number),
  blockHash: hash,
  at: timeOf(timestamp),
})

export interface FoundLog {
  address: string
  topics: readonly string[]
  transactionHash: string
  blockHash: string | null
  /** Its number in the block, as the node or as viem writes it. */
  logIndex: string | number | null
}

/** The maximum number of addresses in a query for logs. */
const mostTopics = 500

/**
 * The logs of these blocks by which a token moved to or from a watched address, padded like topics, by their
 * transactions. The logs listed by the node are checked by each block's bloom filter: if it allows an unlisted log, the block's receipts are
 * read, which must explain the whole filter.
 */
export async function transferLogs(
  client: NodeClient,
  blocks: readonly FullBlock[],
  watched: ReadonlySet<Hex>,
): Promise<Map<string, FoundLog[]>> {
  const listed = await listedLogs(client, blocks, [...watched])
  const bits = [...watched].map((topic) => ({ topic, bits: bloomBits(topic) }))
  const ofTransfers = bloomBits(transferTopic)
  const doubtful = blocks.filter((block) => {
    const bloom = bloomOf(block)
    if (!bloomHas(bloom, ofTransfers)) return false
    const named = new Set(listed.filter(({ blockHash }) => blockHash === block.hash).flatMap((log) => log.topics))
    return bits.some((each) => !named.has(each.topic) && bloomHas(bloom, each.bits))
  })
  const read = await Promise.all(doubtful.map((block) => logsOf(client, block)))
  const found = [...listed, ...read.flat()].filter((log) => isTransferOf(log, watched))
  return Map.groupBy(found, ({ transactionHash }) => transactionHash)
}

/** Whether a log is a movement to or from one of these addresses. */
const isTransferOf = (
  { topics: [topic, from = '', to = ''] }: Pick<FoundLog, 'topics'>,
  watched: ReadonlySet<string>,
): boolean => topic === transferTopic && (watched.has(from) || watched.has(to))

/**
 * Whether a receipt has these logs, and all others of its transaction: a log's place in it names a deposit. As far as
 * their numbers and the receipt's own bloom filter tell.
 */
export function hasAllLogs(receipt: TransactionReceipt, found: readonly FoundLog[] = []): boolean {
  const { logs } = receipt
  const places = logs.map(({ logIndex }) => logIndex)
  const known = new Set(places)
  const isInOrder = places.every((place, i) => i === 0 || place === (places[i - 1] ?? 0) + 1)
  return (
    isInOrder && found.every(({ logIndex }) => known.has(Number(logIndex))) && explainsBloom(bloomOf(receipt), logs)
  )
}

async function listedLogs(
  client: NodeClient,
  blocks: readonly FullBlock[],
  watched: readonly Hex[],
): Promise<FoundLog[]> {
  const [first, last] = [blocks.at(0), blocks.at(-1)]
  if (!first || !last) return []
  const range = { fromBlock: toHex(first.number), toBlock: toHex(last.number) }
  const questions: unknown[] = []
  for (let at = 0; at < watched.length; at += mostTopics) {
    const some = watched.slice(at, at + mostTopics)
    questions.push({ ...range, topics: [transferTopic, null, some] }, { ...range, topics: [transferTopic, some] })
  }
  const answers = await Promise.all(
    questions.map(
      (question) => client.request({ method: 'eth_getLogs', params: [question as never] }) as Promise<FoundLog[]>,
    ),
  )
  const logs = answers.flat()
  const hashes = new Set<string | null>(blocks.map(({ hash }) => hash))
  if (!logs.every(({ blockHash }) => hashes.has(blockHash))) {
    throw new WrongNodeError('gave a log that is not of the blocks that were asked for')
  }
  return logs
}

/** All logs of a block, by its receipts. */
async function logsOf(client: NodeClient, block: FullBlock): Promise<FoundLog[]> {
  const listed = await blockReceipts(client, block.number)
  const known = new Set(listed.map(({ transactionHash }) => transactionHash))
  const others = block.transactions.filter(({ hash }) => !known.has(hash))
  const asked = await Promise.all(others.map(({ hash }) => findReceipt(client, hash)))
  const receipts: readonly { blockHash: string; logs: readonly FoundLog[] }[] = [
    ...listed,
    ...asked.filter((receipt) => receipt !== null),
  ]
  const logs = receipts.flatMap((receipt) => receipt.logs)
  const isOfBlock = receipts.every(({ blockHash }) => blockHash === block.hash)
  if (!isOfBlock || !explainsBloom(bloomOf(block), logs)) {
    throw new WrongNodeError(`gave receipts that are not those of block ${block.number}`)
  }
  return logs
}

interface BlockReceipt {
  transactionHash: string
  blockHash: string
  logs: FoundLog[]
}

/** Undefined if the node lacks this method: then receipts are requested one by one. */
async function blockReceipts(client: NodeClient, number: bigint): Promise<BlockReceipt[]> {
  const params = [numberToHex(number)]
  try {
    return ((await client.request({ method: 'eth_getBlockReceipts', params } as never)) as BlockReceipt[] | null) ?? []
  } catch (error) {
    if (isAnswered(error)) return []
    throw error
  }
}
