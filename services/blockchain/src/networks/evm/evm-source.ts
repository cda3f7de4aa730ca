import { type Hex, pad } from 'viem'
import { getBlock } from 'viem/actions'
import type { InnerMethods } from '../inner-methods'
import type { BlockSource, ChainTransfer, NetworkSettings } from '../network'
import { asking, WrongNodeError } from '../node-failure'
import { newestBlock } from './chain-look'
import type { EvmNodes } from './evm-nodes'
import { findHeader, requireNumber } from './headers'
import { innerTransfers } from './inner-transfers'
import { type FoundLog, type FullBlock, hasAllLogs, placeIn, transferLogs } from './logged'
import { movesOf } from './moves'
import type { NodeClient } from './node-client'
import { findReceipt } from './receipts'

/**
 * Reads an EVM network block by block: native transfers from the blocks' transactions, those of tokens from their logs.
 * Native payments by contracts are in neither: they are read from traces, or balances.
 */
export function evmSource(settings: NetworkSettings, nodes: EvmNodes, methods: InnerMethods): BlockSource {
  const { name } = settings
  const { client, agree } = nodes
  const readInner = innerTransfers(settings, nodes, methods)
  return {
    kind: 'blocks',
    most: 20,
    head: () => asking(name, async () => Number(await newestBlock(client))),
    blockAt: (number) => asking(name, () => findHeader(client, BigInt(number))),
    ...(settings.rpcUrls.length > 1 && {
      isAgreed: (number: number, hash: string, byAll?: boolean) =>
        asking(name, () => agree(BigInt(number), hash, byAll)),
    }),
    read: (from, to, watched) =>
      asking(name, async () => {
        const wanted = Array.from({ length: to - from + 1 }, (_, i) => from + i)
        const blocks = await Promise.all(wanted.map((number) => fullBlock(client, number)))
        const topics = new Set([...watched].map((address) => pad(address as Hex)))
        const logged = await transferLogs(client, blocks, topics)
        const found = blocks.map((block) => ({ block, hashes: hashesIn(block, watched, logged) }))
        const transfers = await Promise.all(
          found.flatMap(({ block, hashes }) =>
            hashes.map((hash) => transfersOf(client, block, hash, { watched, logs: logged.get(hash) ?? [] })),
          ),
        )
        return {
          blocks: blocks.map(({ number, hash, parentHash }) => ({ number: Number(number), hash, parentHash })),
          transfers: [...transfers.flat(), ...(await readInner(blocks, watched))],
        }
      }),
  }
}

async function fullBlock(client: NodeClient, number: number): Promise<FullBlock> {
  const blockNumber = BigInt(number)
  return requireNumber((await getBlock(client, { blockNumber, includeTransactions: true })) as FullBlock, blockNumber)
}

/** The transactions of a block that concern watched addresses. */
const hashesIn = (
  { transactions }: FullBlock,
  watched: ReadonlySet<string>,
  logged: ReadonlyMap<string, unknown>,
): string[] =>
  transactions
    .filter(({ hash, from, to, value }) => {
      const isNative = value > 0n && (watched.has(from.toLowerCase()) || watched.has(to?.toLowerCase() ?? ''))
      return isNative || logged.has(hash)
    })
    .map(({ hash }) => hash)

/**
 * The movements of a transaction at watched addresses, by its receipt: none when it failed. `logs`: those of it that the
 * node has listed.
 */
async function transfersOf(
  client: NodeClient,
  block: FullBlock,
  hash: string,
  { watched, logs }: { watched: ReadonlySet<string>; logs: readonly FoundLog[] },
): Promise<ChainTransfer[]> {
  const receipt = await findReceipt(client, hash)
  if (receipt?.blockHash !== block.hash) throw new WrongNodeError('gave a receipt that is not of the block')
  if (!hasAllLogs(receipt, logs)) {
    throw new WrongNodeError('gave a receipt without a log that it has listed, or that others follow')
  }
  if (receipt.status !== 'success') return []
  const transaction = block.transactions.find((each) => each.hash === hash)
  const moved = transaction ? movesOf(transaction, receipt) : []
  return moved
    .filter(({ amount }) => amount > 0n)
    .filter(({ from, to }) => watched.has(from.toLowerCase()) || watched.has(to.toLowerCase()))
    .map((each) => ({ ...each, ...placeIn(block), txHash: hash }))
}
