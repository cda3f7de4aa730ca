import { getAddress, type Hex, zeroAddress } from 'viem'
import { getBalance, getBlockNumber } from 'viem/actions'
import type { InnerMethods } from '../inner-methods'
import type { ChainTransfer, NetworkSettings } from '../network'
import { WrongNodeError } from '../node-failure'
import type { EvmNodes } from './evm-nodes'
import { type FullBlock, placeIn } from './logged'
import { isAnswered, type NodeClient } from './node-client'
import { feeOf, findReceipt } from './receipts'
import { type InnerPayment, UntoldBlockError } from './traces'
import { rememberedStates, tracingNodes } from './tracing-nodes'

/**
 * Higher than all log indexes of tokens: a contract's payment in the native coin has its index among the calls of its
 * transaction added to this. A payment seen only by a balance has this index, and the block's hash as its transaction.
 */
const innerPlaces = 2 ** 30

const unseen =
  'payments by contracts are not seen: no node that answers has traces, and more than EVM_BALANCE_WATCH addresses are watched'

/** Reads native payments by contracts to the watched addresses. */
type InnerTransfers = (blocks: readonly FullBlock[], watched: ReadonlySet<string>) => Promise<ChainTransfer[]>

/**
 * By traces where any of the nodes has them, which are then asked of that node; else by the balances of the watched
 * addresses, when they are few enough. A block is reread in the same way: otherwise the same payment would get two
 * indexes.
 */
export function innerTransfers(
  { name, balanceWatch = 0 }: NetworkSettings,
  { client, each, report }: EvmNodes,
  methods: InnerMethods,
): InnerTransfers {
  const tracing = tracingNodes(each)
  const head = async () => Number(await getBlockNumber(client))
  async function read(block: FullBlock, watched: ReadonlySet<string>): Promise<ChainTransfer[]> {
    const isEmpty = block.transactions.length === 0
    const found = await tracing.look(block)
    if (!found) return []
    const method = await methods.methodOf(name, Number(block.number), found.offered, head)
    const isUnseen = method === 'balances' && watched.size > balanceWatch
    report.lacks(name, isUnseen ? unseen : null)
    if (method === 'traces') {
      if (found.offered !== 'traces') {
        tracing.again()
        throw found.failure ?? new UntoldBlockError(block, ' by traces, as it was read before')
      }
      return isEmpty ? [] : placed(block, watched, await tracing.trace(block))
    }
    if (isUnseen) return []
    const gained = await Promise.all([...watched].map((address) => surplusOf(client, block, address as Hex)))
    return gained.filter((transfer) => transfer !== null)
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

const placed = (block: FullBlock, watched: ReadonlySet<string>, payments: readonly InnerPayment[]): ChainTransfer[] =>
  payments
    .filter(({ from, to }) => watched.has(from.toLowerCase()) || watched.has(to.toLowerCase()))
    .map(({ txHash, place, from, to, value }) => ({
      ...placeIn(block),
      ...inCoin,
      txHash,
      logIndex: innerPlaces + place,
      from: getAddress(from),
      to: getAddress(to),
      amount: value,
    }))

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
  const place = { ...placeIn(block), ...inCoin, txHash: block.hash, logIndex: innerPlaces + indexOf(address) }
  return { ...place, from: zeroAddress, to: getAddress(address), amount }
}

const inCoin = { contractAddress: null, decimals: null }

/** Within a block each address has its own index, by its first bits. */
const indexOf = (address: Hex): number => Number(BigInt(address) >> 130n)

/** The change of an address's balance by the block's transactions to and from it, including fees. */
async function explainedChange(client: NodeClient, { transactions }: FullBlock, address: Hex): Promise<bigint> {
  const own = transactions.filter(({ from, to }) => from.toLowerCase() === address || to?.toLowerCase() === address)
  const changes = await Promise.all(
    own.map(async ({ hash, from, to, value }) => {
      const receipt = await findReceipt(client, hash)
      if (!receipt) throw new WrongNodeError('does not show the receipt of a transaction in a block')
      const moved = receipt.status === 'success' ? value : 0n
      const paid = from.toLowerCase() === address ? moved + feeOf(receipt).amount : 0n
      return (to?.toLowerCase() === address ? moved : 0n) - paid
    }),
  )
  return changes.reduce((sum, change) => sum + change, 0n)
}
