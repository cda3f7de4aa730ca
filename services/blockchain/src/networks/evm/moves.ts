import { getAddress, type TransactionReceipt } from 'viem'
import type { ChainTransaction } from '../network'
import { readTransferLog } from './erc20'

/**
 * What a transaction moved by itself and by its logs: the native coin, then tokens. Of a failed one nothing; `receipt` is null
 * while it is in no block. What contracts pay in the native coin is not among them.
 */
export function movesOf(
  { from, to, value }: { from: string; to: string | null; value: bigint },
  receipt: TransactionReceipt | null,
): ChainTransaction['transfers'] {
  const isNative = to !== null && value > 0n && receipt?.status !== 'reverted'
  const native = isNative ? [{ from: getAddress(from), to: getAddress(to), contractAddress: null, amount: value }] : []
  const ofTokens = (receipt?.logs ?? []).flatMap((log, i) => {
    const moved = readTransferLog(log)
    return moved ? [{ ...moved, logIndex: i + 1, decimals: null }] : []
  })
  return [...native.map((moved) => ({ ...moved, logIndex: 0, decimals: 18 })), ...ofTokens]
}
