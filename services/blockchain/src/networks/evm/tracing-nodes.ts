import { getBlockNumber } from 'viem/actions'
import type { InnerMethod } from '../inner-methods'
import { WrongNodeError } from '../node-failure'
import type { FullBlock } from './logged'
import { isAnswered, type NodeClient } from './node-client'
import { findTracer, type InnerPayment, type Tracer, UntoldBlockError } from './traces'

/** Most nodes keep the state of this many blocks; they cannot report contract payments in older ones. */
export const rememberedStates = 100n

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
interface TracingNodes {
  /** What they offer, found by a block with transactions; null before the first. */
  look(block: FullBlock): Promise<Offer | null>
  /** Looks at the nodes again for the next block. */
  again(): void
  /** By the first node that can. */
  trace(block: FullBlock): Promise<InnerPayment[]>
}

type Ask<T> = (node: NodeClient, block: FullBlock) => Promise<T>

/** What a node tells of a block. What it lacks it may have later, unless it is too old for it: UntoldBlockError. */
async function told<T>(node: NodeClient, block: FullBlock, ask: Ask<T>): Promise<T> {
  const first = await answerOf(node, block, ask)
  if (first) return first.answer
  if ((await getBlockNumber(node)) - block.number <= rememberedStates) {
    throw new WrongNodeError(`does not tell yet what happened in block ${block.number}`)
  }
  // By its head it had the block: it may have caught up since it was asked.
  const second = await answerOf(node, block, ask)
  if (!second) throw new UntoldBlockError(block)
  return second.answer
}

/** Null where the node answers that it does not know. */
async function answerOf<T>(node: NodeClient, block: FullBlock, ask: Ask<T>): Promise<{ answer: T } | null> {
  try {
    return { answer: await ask(node, block) }
  } catch (error) {
    if (isAnswered(error) || error instanceof UntoldBlockError) return null
    throw error
  }
}

/** A block is given up only where it is too old for all. */
const worstOf = (failures: readonly unknown[]): unknown =>
  failures.find((error) => !(error instanceof UntoldBlockError)) ?? failures[0]

export function tracingNodes(nodes: readonly NodeClient[]): TracingNodes {
  const tracers = new Map<NodeClient, Tracer>()
  let known: Offer | null = null
  let next = 0n

  async function lookAt(block: FullBlock): Promise<Offer> {
    const found = await Promise.allSettled(nodes.map((node) => told(node, block, findTracer)))
    const failures = found.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    for (const [i, node] of nodes.entries()) {
      const each = found[i]
      if (each?.status === 'fulfilled' && each.value) tracers.set(node, each.value)
    }
    if (tracers.size > 0) return { offered: 'traces' }
    // Whoever has the method may lack this block.
    if (failures.some((error) => error instanceof WrongNodeError)) throw worstOf(failures)
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
      const failures: unknown[] = []
      for (const [node, tracer] of tracers) {
        try {
          return await told(node, block, tracer)
        } catch (error) {
          failures.push(error)
        }
      }
      again()
      throw worstOf(failures)
    },
  }
}
