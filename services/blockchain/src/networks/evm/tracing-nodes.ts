import type { InnerMethod } from '../inner-methods'
import type { FullBlock } from './logged'
import { isAnswered, type NodeClient } from './node-client'
import { findTracer, type InnerPayment, type Tracer, UntoldBlockError } from './traces'

/** Nodes without traces are asked again after this many blocks: they, or one that was away, may have them by then. */
const pauseBlocks = 100n

/** What a network's nodes offer. */
interface Offer {
  /** Null while a node that cannot be reached could have traces, and no other one has them. */
  offered: InnerMethod | null
  /** Why it is null. */
  failure?: unknown
}

/** Those of a network's nodes that trace. */
export interface TracingNodes {
  /** What they offer, found by a block with transactions; null before the first. */
  look(block: FullBlock): Promise<Offer | null>
  /** Looks at the nodes again for the next block. */
  again(): void
  /** By the first node that can. */
  trace(block: FullBlock): Promise<InnerPayment[]>
}

export function tracingNodes(nodes: readonly NodeClient[]): TracingNodes {
  const tracers = new Map<NodeClient, Tracer>()
  let known: Offer | null = null
  let next = 0n

  async function lookAt(block: FullBlock): Promise<Offer> {
    const found = await Promise.allSettled(nodes.map((node) => findTracer(node, block)))
    const failures = found.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    for (const [i, node] of nodes.entries()) {
      const each = found[i]
      if (each?.status === 'fulfilled' && each.value) tracers.set(node, each.value)
    }
    if (tracers.size > 0) return { offered: 'traces' }
    // Whoever has the method may lack this block.
    const answered = failures.find((error) => isAnswered(error) || error instanceof UntoldBlockError)
    if (answered) throw answered
    return failures.length > 0 ? { offered: null, failure: failures[0] } : { offered: 'balances' }
  }

  function again(): void {
    tracers.clear()
    next = 0n
  }

  return {
    again,
    async look(block) {
      if (block.transactions.length === 0 || tracers.size > 0) return known
      if (known && block.number < next) return known
      known = await lookAt(block)
      next = block.number + pauseBlocks
      return known
    },
    async trace(block) {
      let failure: unknown
      for (const [node, tracer] of tracers) {
        try {
          return await tracer(node, block)
        } catch (error) {
          failure ??= error
        }
      }
      again()
      throw failure
    },
  }
}
