import { AppError } from '@bursar/http'
import { fail } from '../errors'
import { limitDetails } from '../limits/limit-headers'
import { createMemoryBuckets, type Policy } from '../limits/token-bucket'

export type FailureBudget = ReturnType<typeof createFailureBudget>

/** The credentials that an address has looked up at the moment, each with its requests, and who waits for that. */
interface Looking {
  readonly underWay: Map<string, number>
  readonly waiting: (() => void)[]
}

/**
 * Limits how many wrong credentials an address may try, because look-ups cost others: `perMinute` refusals; recently valid
 * credentials are not counted. No more credentials are looked up at once than may still be wrong, so that concurrent
 * guesses are limited like sequential ones; others wait.
 */
export function createFailureBudget(perMinute: number, now: () => number) {
  const policy: Policy = { name: 'credentials', burst: perMinute, seconds: 60 }
  const buckets = createMemoryBuckets(now)
  const lookings = new Map<string, Looking>()

  /** Waits for a place. Fails (429) when there is none any more. */
  async function enter(address: string, digest: string): Promise<Looking> {
    for (;;) {
      const state = buckets.take(address, policy, 0)
      if (state.left < 1) {
        const message = 'Too many wrong credentials came from this address'
        throw fail('RATE_LIMITED', { message, ...limitDetails(policy, state, now()) })
      }
      const looking: Looking = lookings.get(address) ?? { underWay: new Map(), waiting: [] }
      const { underWay } = looking
      if (underWay.has(digest) || underWay.size < state.left) {
        underWay.set(digest, (underWay.get(digest) ?? 0) + 1)
        lookings.set(address, looking)
        return looking
      }
      await new Promise<void>((resolve) => looking.waiting.push(resolve))
    }
  }

  /** Lets as many go on as may; all, to be refused, when no more may be wrong. */
  function leave(address: string, digest: string, { underWay, waiting }: Looking): void {
    const others = (underWay.get(digest) ?? 1) - 1
    if (others > 0) underWay.set(digest, others)
    else underWay.delete(digest)
    const { left } = buckets.take(address, policy, 0)
    for (const goOn of waiting.splice(0, left < 1 ? waiting.length : Math.max(0, left - underWay.size))) goOn()
    if (underWay.size === 0 && waiting.length === 0) lookings.delete(address)
  }

  return {
    /**
     * Looks up unknown credentials, of which `digest` tells one from another. Fails (429) after too many wrong ones from the
     * address.
     */
    async watch<T>(address: string, digest: string, lookUp: () => Promise<T>): Promise<T> {
      const looking = await enter(address, digest)
      try {
        return await lookUp()
      } catch (error) {
        if (isGuess(error)) buckets.take(address, policy, 1)
        throw error
      } finally {
        leave(address, digest, looking)
      }
    },
  }
}

/** Whether a refusal was for unknown credentials; an expired token was valid before. */
const isGuess = (error: unknown): boolean =>
  error instanceof AppError && error.status === 401 && error.code !== 'TOKEN_EXPIRED'
