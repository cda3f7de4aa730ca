import { AppError } from '@bursar/http'
import { fail } from '../errors'
import { limitDetails } from '../limits/limit-headers'
import { createMemoryBuckets, type Policy } from '../limits/token-bucket'

/** Bounds how many wrong credentials an address may try: looking them up costs others. */
export interface FailureBudget {
  /** Does the look-up of credentials that are not known yet. Fails (429) where too many of the address were wrong. */
  watch<T>(address: string, lookUp: () => Promise<T>): Promise<T>
}

/** `perMinute` refusals of an address; credentials that were right lately are not counted. */
export function createFailureBudget(perMinute: number, now: () => number = Date.now): FailureBudget {
  const policy: Policy = { name: 'credentials', burst: perMinute, seconds: 60 }
  const buckets = createMemoryBuckets(now)
  return {
    async watch(address, lookUp) {
      const state = buckets.take(address, policy, 0)
      if (state.left < 1) {
        const message = 'Too many wrong credentials came from this address'
        throw fail('RATE_LIMITED', { message, ...limitDetails(policy, state, now()) })
      }
      try {
        return await lookUp()
      } catch (error) {
        if (isGuess(error)) buckets.take(address, policy, 1)
        throw error
      }
    },
  }
}

/** Whether a refusal was for credentials that nobody has; an expired token was somebody's. */
const isGuess = (error: unknown): boolean =>
  error instanceof AppError && error.status === 401 && error.code !== 'TOKEN_EXPIRED'
