import type { NetworkSettings } from '../network'
import type { NodeReport } from '../node-report'
import { findHeader } from './headers'
import type { NodeClient } from './node-client'

/**
 * Whether every node that answers has this block under this number. An unreachable or lagging node is ignored; by all,
 * each must show it now.
 */
export type Agreement = (number: bigint, hash: string, byAll?: boolean) => Promise<boolean>

/** The number of remembered blocks on which the nodes agreed. */
const mostRemembered = 1000

export function createAgreement(
  { name }: NetworkSettings,
  nodes: readonly NodeClient[],
  report: Pick<NodeReport, 'good' | 'bad'>,
): Agreement {
  const agreed = new Set<string>()
  const others = new Set<number>()
  return async (number, hash, byAll = false) => {
    if (nodes.length < 2 || (!byAll && agreed.has(hash))) return true
    const found = await Promise.all(nodes.map((node) => findHeader(node, number).catch(() => null)))
    const differing = found.flatMap((header, i) => (header && header.hash !== hash ? [i + 1] : []))
    for (const node of differing) report.bad(name, node, `has another block ${number} than the others`)
    for (const node of others) {
      if (found[node - 1]?.hash !== hash) continue
      others.delete(node)
      report.good(name, node)
    }
    for (const node of differing) others.add(node)
    if (differing.length > 0 || (byAll && found.includes(null))) return false
    if (agreed.size >= mostRemembered) agreed.clear()
    agreed.add(hash)
    return true
  }
}
