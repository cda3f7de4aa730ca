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

function outcomeOf(status: { confirmationStatus: string | null; err: unknown } | null): Outcome {
  if (!status) return { is: 'absent' }
  if (status.confirmationStatus !== 'finalized') return { is: 'included' }
  return status.err
    ? { is: 'reverted', reason: `the transaction failed: ${errorText(status.err)}` }
    : { is: 'confirmed' }
}
