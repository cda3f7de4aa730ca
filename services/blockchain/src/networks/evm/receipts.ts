import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import { WrongNodeError } from '../node-failure'
import type { NodeClient } from './node-client'

/** The receipt of a transaction; null when no block holds it. Fails when the node gives the receipt of another one. */
export async function findReceipt(client: NodeClient, hash: string): Promise<TransactionReceipt | null> {
  const receipt = await getTransactionReceipt(client, { hash: hash as Hex }).catch(nullWhenNotFound)
  if (receipt && receipt.transactionHash.toLowerCase() !== hash.toLowerCase()) {
    throw new WrongNodeError('gave the receipt of another transaction than was asked for')
  }
  return receipt
}

function nullWhenNotFound(error: unknown): null {
  if (error instanceof TransactionReceiptNotFoundError) return null
  throw error
}
