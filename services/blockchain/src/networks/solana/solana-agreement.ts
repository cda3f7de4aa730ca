import type { NetworkSettings } from '../network'
import type { NodeReport } from '../node-report'
import type { SolanaRpc } from './solana-rpc'
import { statusesOf } from './statuses'

/** A transaction that is final, as one node says. */
export interface Final {
  txHash: string
  slot: bigint
  isFailed: boolean
}

/**
 * Whether no other node denies that transactions are final with this outcome, one answer each. One that is unreachable,
 * behind, or without the block, is ignored.
 */
export type SolanaAgreement = (finals: readonly Final[]) => Promise<boolean[]>

export function createSolanaAgreement(
  { name }: NetworkSettings,
  each: readonly SolanaRpc[],
  report: NodeReport,
): SolanaAgreement {
  const others = new Set<number>()
  return async (finals) => {
    if (each.length < 2 || finals.length === 0) return finals.map(() => true)
    const denied = await Promise.all(each.map((rpc) => denials(rpc, finals).catch(() => null)))
    for (const [i, found] of denied.entries()) {
      const txHash = finals[found?.indexOf(true) ?? -1]?.txHash
      if (txHash !== undefined) {
        others.add(i)
        report.bad(name, i + 1, `has another outcome of ${txHash} than the others`)
      } else if (found && others.delete(i)) report.good(name, i + 1)
    }
    return finals.map((_, i) => !denied.some((found) => found?.[i]))
  }
}

/** Which of them a node denies. Its final blocks are read first: it knows all that is in them. */
async function denials(rpc: SolanaRpc, finals: readonly Final[]): Promise<boolean[]> {
  const [first, last] = await Promise.all([
    rpc.getFirstAvailableBlock().send(),
    rpc.getSlot({ commitment: 'finalized' }).send(),
  ])
  const statuses = await statusesOf(rpc, finals)
  return finals.map(({ slot, isFailed }, i) => {
    const status = statuses[i] ?? null
    const isSame = status?.confirmationStatus === 'finalized' && (status.err !== null) === isFailed
    return !isSame && first <= slot && slot <= last
  })
}
