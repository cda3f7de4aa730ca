import { AppError } from '@bursar/http'
import { fail } from '../errors'
import { limitDetails } from '../limits/limit-headers'
import { createMemoryBuckets, type Policy } from '../limits/token-bucket'

/** Limits how many wrong credentials an address may try, because look-ups cost others. */
export interface FailureBudget {
  /** Looks up unknown credentials. Fails (429) after too many wrong ones from the address. */
  watch<T>(address: string, lookUp: () => Promise<T>): Promise<T>
}

/** `perMinute` refusals of an address; recently valid credentials are not counted. */
export function createFailureBudget(perMinute: number, now: () => number): FailureBudget {
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

/** Whether a refusal was for unknown credentials; an expired token was valid before. */
const isGuess = (error: unknown): boolean =>
  error instanceof AppError && error.status === 401 && error.code !== 'TOKEN_EXPIRED'
