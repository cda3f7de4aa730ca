import { getAddress, type Hex } from 'viem'
import { getBalance, getBlockNumber } from 'viem/actions'
import type { InnerMethods } from '../inner-methods'
import type { ChainTransfer, NetworkSettings } from '../network'
import { WrongNodeError } from '../node-failure'
import type { FullBlock } from './logged'
import { isAnswered, type NodeClient } from './node-client'
import { findReceipt } from './receipts'
import { findTracer, type Tracer, UntoldBlockError } from './traces'

/**
 * Higher than all log indexes of tokens: a contract's payment in the native coin has its index among the calls of its
 * transaction added to this. A payment seen only by a balance has this index, and the block's hash as its transaction.
 */
const innerPlaces = 2 ** 30

/** Most nodes keep the state of this many blocks; they cannot report contract payments in older ones. */
const rememberedStates = 100n

/** Reads native payments by contracts to the watched addresses. */
export type InnerTransfers = (blocks: readonly FullBlock[], watched: ReadonlySet<string>) => Promise<ChainTransfer[]>

/**
 * By the node's traces if available, which is detected once; else by the balances of the watched addresses, when they
 * are few enough. A node that had traces must still have them, and a block is reread in the same way: otherwise the
 * same payment would get two indexes.
 */
export function innerTransfers(
  { name, balanceWatch = 0 }: NetworkSettings,
  client: NodeClient,
  methods: InnerMethods,
): InnerTransfers {
  let tracer: Tracer | null | undefined
  const head = async () => Number(await getBlockNumber(client))
  async function read(block: FullBlock, watched: ReadonlySet<string>): Promise<ChainTransfer[]> {
    if (tracer === undefined && block.transactions.length > 0) tracer = await findTracer(client, block)
    if (tracer === undefined) return []
    const method = await methods.methodOf(name, Number(block.number), tracer ? 'traces' : 'balances', head)
    if (method === 'traces') {
      if (!tracer) {
        // The node that was asked has none: another one may answer next, or it may have them again.
        tracer = undefined
        throw new UntoldBlockError(block, ' by traces, as it was read before')
      }
      return block.transactions.length === 0 ? [] : await traced(client, tracer, block, watched)
    }
    if (watched.size > balanceWatch) return []
    const found = await Promise.all([...watched].map((address) => surplusOf(client, block, address as Hex)))
    return found.filter((transfer) => transfer !== null)
  }
  return async (blocks, watched) => {
    const transfers: ChainTransfer[] = []
    for (const block of blocks) transfers.push(...((await orForgotten(client, block, read(block, watched))) ?? []))
    return transfers
  }
}

/** Null for a block that is too old for the node; newer ones must be available. */
async function orForgotten<T>(client: NodeClient, block: FullBlock, read: Promise<T>): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    if (!isAnswered(error) && !(error instanceof UntoldBlockError)) throw error
    if ((await getBlockNumber(client)) - block.number > rememberedStates) return null
    throw error instanceof UntoldBlockError ? error : new UntoldBlockError(block)
  }
}

async function traced(
  client: NodeClient,
  tracer: Tracer,
  block: FullBlock,
  watched: ReadonlySet<string>,
): Promise<ChainTransfer[]> {
  const payments = await tracer(client, block)
  return payments
    .filter(({ from, to }) => watched.has(from.toLowerCase()) || watched.has(to.toLowerCase()))
    .map(({ txHash, place, from, to, value }) => ({
      ...placeIn(block),
      txHash,
      logIndex: innerPlaces + place,
      from: getAddress(from),
      to: getAddress(to),
      amount: value,
    }))
}

/** The amount that an address gained in a block beyond its transactions. The payer is unknown. */
async function surplusOf(client: NodeClient, block: FullBlock, address: Hex): Promise<ChainTransfer | null> {
  if (block.number === 0n) return null
  const [before, after, explained] = await Promise.all([
    getBalance(client, { address, blockNumber: block.number - 1n }),
    getBalance(client, { address, blockNumber: block.number }),
    explainedChange(client, block, address),
  ])
  const amount = after - before - explained
  if (amount <= 0n) return null
  const nobody = `0x${'0'.repeat(40)}`
  const place = { ...placeIn(block), txHash: block.hash, logIndex: innerPlaces + indexOf(address) }
  return { ...place, from: nobody, to: getAddress(address), amount }
}

/** Within a block each address has its own index, by its first bits. */
const indexOf = (address: Hex): number => Number(BigInt(address) >> 130n)

/** The change of an address's balance by the block's transactions to and from it, including fees. */
async function explainedChange(client: NodeClient, { transactions }: FullBlock, address: Hex): Promise<bigint> {
  const own = transactions.filter(({ from, to }) => from.toLowerCase() === address || to?.toLowerCase() === address)
  const changes = await Promise.all(
    own.map(async ({ hash, from, to, value }) => {
      const receipt = await findReceipt(client, hash)
      if (!receipt) throw new WrongNodeError('does not show the receipt of a transaction in a block')
      const isSender = from.toLowerCase() === address
      // Rollups also charge a fee for their parent chain.
      const { l1Fee = 0n } = receipt as { l1Fee?: bigint | string }
      const fee = isSender ? receipt.gasUsed * receipt.effectiveGasPrice + BigInt(l1Fee ?? 0n) : 0n
      const moved = receipt.status === 'success' ? value : 0n
      return (to?.toLowerCase() === address ? moved : 0n) - (isSender ? moved : 0n) - fee
    }),
  )
  return changes.reduce((sum, change) => sum + change, 0n)
}

const placeIn = ({ number, hash, timestamp }: FullBlock) => ({
  contractAddress: null,
  decimals: null,
  block: Number(number),
  blockHash: hash,
  at: new Date(Number(timestamp) * 1000),
})
