import { comparableAddress } from '@bursar/contracts/address'
import type { OpenStore } from '@bursar/store'
import { tokenKey } from '../comparable'
import { addressOf, hashOf } from '../forms'
import type { BlockSource, Chain, ChainTransaction, ChainTransfer, NetworkSettings } from '../network'
import {
  findBlock,
  findTransactions,
  headOf,
  readBalances,
  readBlocks,
  readTransactions,
  type SimulatedTransaction,
} from './blocks'
import { simulatedSending } from './simulated-sending'

/** A network in this service's database: blocks, balances, hashes and confirmations that outlive a restart. */
export const createSimulatedChain = (settings: NetworkSettings, store: OpenStore, clock: () => Date): Chain => ({
  settings,
  sending: simulatedSending(settings, store, clock),
  source: simulatedBlocks(settings, store),
  address: (text) => addressOf(settings.form, text),
  hash: (text) => hashOf(settings.form, text),
  async holdings(address, tokens) {
    const rows = await readBalances(store.read, settings.name, comparableAddress(address))
    const known = new Map(tokens.map((token) => [tokenKey(token.contractAddress), token]))
    return rows.flatMap(({ token, amount }) => {
      const found = known.get(token)
      return found && amount > 0n
        ? [{ contractAddress: found.contractAddress, amount, decimals: found.decimals ?? 0 }]
        : []
    })
  },
  decimals: async () => null,
  async find(txHash) {
    const found = (await findTransactions(store.read, settings.name, [txHash])).get(txHash)
    if (!found) return null
    const [block, head] = await Promise.all([
      findBlock(store.read, settings.name, found.block),
      headOf(store.read, settings.name),
    ])
    return transactionOf(found, block?.at ?? null, head - found.block + 1, settings.confirmations)
  },
})

function transactionOf(
  found: SimulatedTransaction,
  at: Date | null,
  confirmations: number,
  needed: number,
): ChainTransaction {
  const { txHash, failure, block, fromAddress, toAddress } = found
  const done = failure === null ? 'confirmed' : 'failed'
  return {
    txHash,
    status: confirmations < needed ? 'pending' : done,
    reason: failure,
    block,
    confirmations,
    at,
    from: [fromAddress],
    to: [toAddress],
    transfers: failure === null ? [movement(found)] : [],
  }
}

const movement = ({ fromAddress, toAddress, contractAddress, amount }: SimulatedTransaction) => ({
  logIndex: contractAddress === null ? 0 : 1,
  from: fromAddress,
  to: toAddress,
  contractAddress,
  amount,
  decimals: null,
})

const simulatedBlocks = (settings: NetworkSettings, store: OpenStore): BlockSource => ({
  kind: 'blocks',
  most: 500,
  head: () => headOf(store.read, settings.name),
  blockAt: (number) => findBlock(store.read, settings.name, number),
  async read(from, to, watched) {
    const [blocks, found] = await Promise.all([
      readBlocks(store.read, settings.name, from, to),
      readTransactions(store.read, settings.name, from, to),
    ])
    const byNumber = new Map(blocks.map((block) => [block.number, block]))
    const transfers = found.flatMap((transaction): ChainTransfer[] => {
      const block = byNumber.get(transaction.block)
      const isWatched = [transaction.fromAddress, transaction.toAddress].some((each) =>
        watched.has(comparableAddress(each)),
      )
      if (!block || !isWatched || transaction.failure !== null) return []
      return [
        {
          ...movement(transaction),
          txHash: transaction.txHash,
          block: block.number,
          blockHash: block.hash,
          at: block.at,
        },
      ]
    })
    return { blocks, transfers }
  },
})
