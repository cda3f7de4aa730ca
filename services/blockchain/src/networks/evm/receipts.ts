import { getAddress, type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import type { Fee } from '../network'
import { WrongNodeError } from '../node-failure'
import type { NodeClient } from './node-client'

/**
 * The receipt of a transaction; null when it is in no block. Fails when the node returns the receipt of another one, or one
 * without a list of logs or a status: taken for reverted, what was paid would be paid again.
 */
export async function findReceipt(client: NodeClient, hash: string): Promise<TransactionReceipt | null> {
  const receipt = await getTransactionReceipt(client, { hash: hash as Hex }).catch(nullWhenNotFound)
  if (receipt && receipt.transactionHash.toLowerCase() !== hash.toLowerCase()) {
    throw new WrongNodeError('gave the receipt of another transaction than was asked for')
  }
  if (receipt && !Array.isArray(receipt.logs)) throw new WrongNodeError('gave a receipt without a list of logs')
  if (receipt && !statuses.has(receipt.status)) throw new WrongNodeError('gave a receipt without a status')
  return receipt
}

/** As viem reads 0x1 and 0x0. */
const statuses = new Set<unknown>(['success', 'reverted'])

function nullWhenNotFound(error: unknown): null {
  if (error instanceof TransactionReceiptNotFoundError) return null
  throw error
}

/** The fee of a transaction: its gas, and on rollups the data posted to the parent chain. */
export function feeOf(receipt: TransactionReceipt): Fee {
  const { from, gasUsed, effectiveGasPrice } = receipt
  // OP rollups report it separately, and viem does not decode it.
  const { l1Fee } = receipt as { l1Fee?: string | bigint | null }
  return { payer: getAddress(from), amount: gasUsed * (effectiveGasPrice ?? 0n) + BigInt(l1Fee ?? 0) }
}
