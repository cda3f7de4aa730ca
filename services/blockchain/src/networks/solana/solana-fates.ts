import type { Blockhash } from '@solana/kit'
import { answersOf } from '../answers'
import { fateBy } from '../fate-by'
import type { Fate, SignedTransaction } from '../network'
import { asking } from '../node-failure'
import { hasBlocksFrom, outcomesOf } from './outcomes'
import { lifetimeBlocks } from './solana-draft'
import type { SolanaNodes } from './solana-nodes'
import type { SolanaRpc } from './solana-rpc'

/** The number of transactions remembered with the height at their first query. */
const mostRemembered = 10_000

/**
 * The fates of signed transactions. One is dead when its blockhash is invalid at a final height, and it is
 * in no block. A node does not know blockhashes newer than its final blocks either: so it must have expired, by
 * its attempt, or by a whole lifetime of blocks since the first query. One node must answer all of it, the status
 * last: it has then seen every block that could hold it, if it has all since the signature. Every other node that answers
 * must say the same, or lack those blocks.
 */
export function solanaFates(network: string, { each, agree }: SolanaNodes) {
  const asked = new Map<string, bigint>()
  /** Remembers the last height of those without one of their own: the furthest of all nodes counts, not the first to answer. */
  async function rememberHeights(signed: readonly SignedTransaction[]): Promise<void> {
    const unknown = signed.filter(({ txHash, expiresAt }) => expiresAt === null && !asked.has(txHash))
    if (unknown.length === 0) return
    const heights = await answersOf(each.map((rpc) => rpc.getBlockHeight({ commitment: 'processed' }).send()))
    const furthest = heights.toSorted((a, b) => Number(a - b)).at(-1) as bigint
    if (asked.size >= mostRemembered) asked.clear()
    for (const { txHash } of unknown) asked.set(txHash, furthest + lifetimeBlocks)
  }
  async function isOver(rpc: SolanaRpc, signed: SignedTransaction, height: bigint): Promise<boolean> {
    const last = signed.expiresAt === null ? asked.get(signed.txHash) : BigInt(signed.expiresAt)
    if (last === undefined || height <= last || signed.blockhash === null) return false
    return !(await rpc.isBlockhashValid(signed.blockhash as Blockhash, { commitment: 'finalized' }).send()).value
  }
  async function askOne(rpc: SolanaRpc, signed: readonly SignedTransaction[]): Promise<Fate[]> {
    const height = await rpc.getBlockHeight({ commitment: 'finalized' }).send()
    const over = await Promise.all(signed.map((one) => isOver(rpc, one, height)))
    const outcomes = await outcomesOf(rpc, agree, signed)
    const fates = outcomes.map((outcome, i) => fateBy(outcome) ?? unincluded(over[i] ?? false))
    const deadSince = fates.map(({ fate }, i) => (fate === 'dead' ? signed[i]?.signedAt : undefined))
    if (deadSince.every((at) => at === undefined)) return fates
    const fromMs = await hasBlocksFrom(rpc)
    return fates.map((found, i) => (fromMs > Date.parse(deadSince[i] ?? '') ? unseen : found))
  }
  return (signed: readonly SignedTransaction[]): Promise<Fate[]> =>
    asking(network, async () => {
      await rememberHeights(signed)
      const answers = await answersOf(each.map((rpc) => askOne(rpc, signed)))
      return signed.map((_, i) => together(answers.map((fates) => fates[i] ?? unseen)))
    })
}

/** What nodes say of one: it is dead when some know that, and none knows anything else. */
function together(fates: readonly Fate[]): Fate {
  const end = fates.find(({ fate }) => fate === 'final' || fate === 'reverted')
  const open = fates.find((each) => each.fate === 'open' && each !== unseen)
  return end ?? open ?? fates.find(({ fate }) => fate === 'dead') ?? unseen
}

const unseen: Fate = {
  fate: 'open',
  reason: 'Its blockhash has expired, and no node has all blocks since it was signed: one of them may hold it',
}

const unincluded = (isOver: boolean): Fate =>
  isOver
    ? { fate: 'dead', reason: 'Its blockhash has expired, and no block holds it' }
    : { fate: 'open', reason: 'Its blockhash may still be valid' }
