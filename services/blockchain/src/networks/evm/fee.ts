import { getAddress, type TransactionReceipt } from 'viem'
import type { Fee } from '../network'

/** What a transaction cost: its gas, and where the network says so the data that it has put on the chain below. */
export function feeOf(receipt: TransactionReceipt): Fee {
  const { from, gasUsed, effectiveGasPrice } = receipt
  // Rollups of the OP kind say it apart, and viem leaves it as it came.
  const { l1Fee } = receipt as { l1Fee?: string | bigint | null }
  return { payer: getAddress(from), amount: gasUsed * (effectiveGasPrice ?? 0n) + BigInt(l1Fee ?? 0) }
}
