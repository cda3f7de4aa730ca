import type { Signature } from '@solana/kit'
import type { Outcome } from '../network'
import { errorText } from './solana-draft'
import type { SolanaRpc } from './solana-nodes'

/** The maximum number of signatures per request. */
const mostSignatures = 256

/** The states of transactions, one each, searching the node's whole history. */
export async function outcomesOf(rpc: SolanaRpc, attempts: readonly { txHash: string }[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let at = 0; at < attempts.length; at += mostSignatures) {
    const signatures = attempts.slice(at, at + mostSignatures).map(({ txHash }) => txHash as Signature)
    const { value } = await rpc.getSignatureStatuses(signatures, { searchTransactionHistory: true }).send()
    outcomes.push(...value.map(outcomeOf))
  }
  return outcomes
}

/** The clocks of networks and ours differ. */
const clockToleranceMs = 60_000

/**
 * From when on a node has all blocks, in milliseconds since 1970; infinite where it does not say. One that was set up later,
 * or deletes old ones, does not know what those held: that it does not know a transaction proves nothing.
 */
export async function hasBlocksFrom(rpc: SolanaRpc): Promise<number> {
  const first = await rpc.getFirstAvailableBlock().send()
  if (first === 0n) return 0
  const at = await rpc.getBlockTime(first).send()
  return at === null ? Number.POSITIVE_INFINITY : Number(at) * 1000 + clockToleranceMs
}

function outcomeOf(status: { confirmationStatus: string | null; err: unknown } | null): Outcome {
  if (!status) return { is: 'absent' }
  if (status.confirmationStatus !== 'finalized') return { is: 'included' }
  return status.err
    ? { is: 'reverted', reason: `the transaction failed: ${errorText(status.err)}` }
    : { is: 'confirmed' }
}
