import { getAddress, type Hex, TransactionNotFoundError } from 'viem'
import { getBlock, getTransaction } from 'viem/actions'
import type { ChainTransaction } from '../network'
import { WrongNodeError } from '../node-failure'
import type { ChainLook } from './chain-look'
import { timeOf } from './headers'
import { hasAllLogs } from './logged'
import { movesOf } from './moves'
import type { NodeClient } from './node-client'
import { findReceipt } from './receipts'

/** A transaction by its hash; null when the network does not know it. */
export async function findTransaction(
  client: NodeClient,
  look: ChainLook,
  txHash: string,
): Promise<ChainTransaction | null> {
  const transaction = await getTransaction(client, { hash: txHash as Hex }).catch((error: unknown) => {
    if (error instanceof TransactionNotFoundError) return null
    throw error
  })
  if (!transaction) return null
  if (transaction.hash.toLowerCase() !== txHash) throw new WrongNodeError('gave another transaction than was asked for')
  const receipt = await findReceipt(client, txHash)
  if (receipt && !hasAllLogs(receipt)) throw new WrongNodeError('gave a receipt without a log that others follow')
  const block = receipt && (await getBlock(client, { blockNumber: receipt.blockNumber }))
  // The head after the receipt: with one from before, a block that came in between would have none.
  const confirmations = receipt ? Number((await look.head()) - receipt.blockNumber) + 1 : 0
  const done = receipt?.status === 'success' ? 'confirmed' : 'failed'
  return {
    txHash,
    status: receipt && (await look.standing(receipt)) === 'final' ? done : 'pending',
    reason: receipt?.status === 'reverted' ? 'execution reverted' : null,
    block: receipt ? Number(receipt.blockNumber) : null,
    confirmations,
    at: block ? timeOf(block.timestamp) : null,
    from: [getAddress(transaction.from)],
    to: transaction.to ? [getAddress(transaction.to)] : [],
    transfers: movesOf(transaction, receipt),
  }
}
