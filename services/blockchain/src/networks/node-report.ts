/**
 * The known problems of nodes, for health. Nodes are named by their position in the setting, since URLs may contain
 * credentials.
 */
export interface NodeReport {
  good(network: string, node: number): void
  bad(network: string, node: number, problem: string): void
  /** What cannot be seen of a network by the nodes that it has; null: nothing. */
  lacks(network: string, what: string | null): void
  /** The problems of a network and its nodes; null for none. */
  of(network: string): string | null
}

export function createNodeReport(): NodeReport {
  const problems = new Map<string, Map<number, string>>()
  const lacking = new Map<string, string | null>()
  return {
    good: (network, node) => void problems.get(network)?.delete(node),
    bad(network, node, problem) {
      const known = problems.get(network) ?? new Map<number, string>()
      problems.set(network, known.set(node, problem))
    },
    lacks: (network, what) => void lacking.set(network, what),
    of(network) {
      const known = [...(problems.get(network) ?? [])].sort(([a], [b]) => a - b)
      const all = [...known.map(([node, problem]) => `node ${node} ${problem}`), lacking.get(network) ?? []].flat()
      return all.length === 0 ? null : all.join('; ')
    },
  }
}
