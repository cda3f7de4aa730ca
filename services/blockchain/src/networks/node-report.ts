/**
 * The known problems of nodes, for health. Nodes are named by their position in the setting, since URLs may contain
 * credentials.
 */
export interface NodeReport {
  good(network: string, node: number): void
  bad(network: string, node: number, problem: string): void
  /** The problems of a network's nodes; null for none. */
  of(network: string): string | null
}

export function createNodeReport(): NodeReport {
  const problems = new Map<string, Map<number, string>>()
  return {
    good: (network, node) => void problems.get(network)?.delete(node),
    bad(network, node, problem) {
      const known = problems.get(network) ?? new Map<number, string>()
      problems.set(network, known.set(node, problem))
    },
    of(network) {
      const known = [...(problems.get(network) ?? [])].sort(([a], [b]) => a - b)
      return known.length === 0 ? null : known.map(([node, problem]) => `node ${node} ${problem}`).join('; ')
    },
  }
}
