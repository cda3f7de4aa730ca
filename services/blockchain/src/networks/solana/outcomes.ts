import type { Outcome } from '../network'
import type { SolanaAgreement } from './solana-agreement'
import { errorText } from './solana-draft'
import type { SolanaRpc } from './solana-rpc'
import { type Status, statusesOf } from './statuses'

/** The states of transactions, one each, by one node; one that is final there and that another node denies is not final. */
export async function outcomesOf(
  rpc: SolanaRpc,
  agree: SolanaAgreement,
  attempts: readonly { txHash: string }[],
): Promise<Outcome[]> {
  const statuses = await statusesOf(rpc, attempts)
  const finals = statuses.flatMap((status, i) =>
    status?.confirmationStatus === 'finalized'
      ? [{ txHash: attempts[i]?.txHash ?? '', slot: status.slot, isFailed: status.err !== null }]
      : [],
  )
  const agreed = await agree(finals)
  const denied = new Set(finals.flatMap(({ txHash }, i) => (agreed[i] ? [] : [txHash])))
  return statuses.map((status, i) => (denied.has(attempts[i]?.txHash ?? '') ? { is: 'included' } : outcomeOf(status)))
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

function outcomeOf(status: Status | null): Outcome {
  if (!status) return { is: 'absent' }
  if (status.confirmationStatus !== 'finalized') return { is: 'included' }
  return status.err
    ? { is: 'reverted', reason: `the transaction failed: ${errorText(status.err)}` }
    : { is: 'confirmed' }
}
