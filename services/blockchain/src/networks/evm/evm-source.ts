import { type Block, BlockNotFoundError, getAddress, type Hex, pad, toHex } from 'viem'
import { getBlock, getBlockNumber } from 'viem/actions'
import type { BlockSource, ChainTransfer, NetworkSettings } from '../network'
import { asking, WrongNodeError } from '../node-failure'
import { readTransferLog, transferTopic } from './erc20'
import type { NodeClient } from './node-client'
import { findReceipt } from './receipts'

type FullBlock = Block<bigint, true, 'latest'>

/** How many addresses one question about logs may name. */
const mostTopics = 500

/**
 * Reads an EVM network block by block: native transfers from the blocks' transactions, those of tokens from their logs.
 * What a contract pays in the native coin is in neither, and is not seen.
 */
export const evmSource = ({ name }: NetworkSettings, client: NodeClient): BlockSource => ({
  kind: 'blocks',
  most: 20,
  head: () => asking(name, async () => Number(await getBlockNumber(client))),
  blockAt: (number) => asking(name, () => blockAt(client, number)),
  read: (from, to, watched) =>
    asking(name, async () => {
      const [blocks, logged] = await Promise.all([
        Promise.all(Array.from({ length: to - from + 1 }, (_, i) => fullBlock(client, from + i))),
        loggedHashes(client, from, to, [...watched]),
      ])
      const found = blocks.map((block) => ({ block, hashes: hashesIn(block, watched, logged) }))
      const transfers = await Promise.all(
        found.flatMap(({ block, hashes }) => hashes.map((hash) => transfersOf(client, block, hash, watched))),
      )
      return {
        blocks: blocks.map(({ number, hash, parentHash }) => ({ number: Number(number), hash, parentHash })),
        transfers: transfers.flat(),
      }
    }),
})

async function blockAt(client: NodeClient, number: number): Promise<{ hash: string; at: Date } | null> {
  try {
    const { hash, timestamp } = await getBlock(client, { blockNumber: BigInt(number) })
    return { hash, at: new Date(Number(timestamp) * 1000) }
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null
    throw error
  }
}

const fullBlock = async (client: NodeClient, number: number): Promise<FullBlock> =>
  (await getBlock(client, { blockNumber: BigInt(number), includeTransactions: true })) as FullBlock

/** The transactions in which a token moved to or from a watched address. */
async function loggedHashes(client: NodeClient, from: number, to: number, watched: string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (let at = 0; at < watched.length; at += mostTopics) {
    const some = watched.slice(at, at + mostTopics).map((address) => pad(address as Hex))
    for (const topics of [
      [transferTopic, null, some],
      [transferTopic, some],
    ]) {
      const range = { fromBlock: toHex(from), toBlock: toHex(to), topics }
      const logs = (await client.request({ method: 'eth_getLogs', params: [range as never] })) as {
        transactionHash: string
      }[]
      for (const { transactionHash } of logs) found.add(transactionHash)
    }
  }
  return found
}

/** The transactions of a block that concern watched addresses. */
const hashesIn = ({ transactions }: FullBlock, watched: ReadonlySet<string>, logged: ReadonlySet<string>): string[] =>
  transactions
    .filter(({ hash, from, to, value }) => {
      const isNative = value > 0n && (watched.has(from.toLowerCase()) || watched.has(to?.toLowerCase() ?? ''))
      return isNative || logged.has(hash)
    })
    .map(({ hash }) => hash)

/** What a transaction moved to or from watched addresses, by its receipt: nothing when it failed. */
async function transfersOf(
  client: NodeClient,
  block: FullBlock,
  hash: string,
  watched: ReadonlySet<string>,
): Promise<ChainTransfer[]> {
  const receipt = await findReceipt(client, hash)
  if (receipt?.blockHash !== block.hash) throw new WrongNodeError('gave a receipt that is not of the block')
  if (receipt.status !== 'success') return []
  const place = {
    txHash: hash,
    decimals: null,
    block: Number(block.number),
    blockHash: block.hash,
    at: new Date(Number(block.timestamp) * 1000),
  }
  const transaction = block.transactions.find((each) => each.hash === hash)
  const native =
    transaction?.to && transaction.value > 0n
      ? [
          {
            ...place,
            logIndex: 0,
            from: getAddress(transaction.from),
            to: getAddress(transaction.to),
            contractAddress: null,
            amount: transaction.value,
          },
        ]
      : []
  const ofTokens = receipt.logs.flatMap((log, i) => {
    const moved = readTransferLog(log)
    return moved && moved.amount > 0n ? [{ ...place, ...moved, logIndex: i + 1 }] : []
  })
  return [...native, ...ofTokens].filter(
    ({ from, to }) => watched.has(from.toLowerCase()) || watched.has(to.toLowerCase()),
  )
}
