import type { Signature } from '@solana/kit'
import type { SolanaRpc } from './solana-rpc'

/** The maximum number of signatures per request. */
const mostSignatures = 256

/** What a node says of a transaction. */
export interface Status {
  slot: bigint
  confirmationStatus: string | null
  err: unknown
}

/** What a node says of transactions, one answer each, searching its whole history; null for one that it does not know. */
export async function statusesOf(rpc: SolanaRpc, attempts: readonly { txHash: string }[]): Promise<(Status | null)[]> {
  const statuses: (Status | null)[] = []
  for (let at = 0; at < attempts.length; at += mostSignatures) {
    const signatures = attempts.slice(at, at + mostSignatures).map(({ txHash }) => txHash as Signature)
    const { value } = await rpc.getSignatureStatuses(signatures, { searchTransactionHistory: true }).send()
    statuses.push(...value)
  }
  return statuses
}
