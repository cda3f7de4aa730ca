import { ApiError } from '../../api/api-error'
import { counted } from '../../format/words'
import type { DeadLetter, RetryState } from './health-query'

/** The numbers of retried dead letters by result. */
type RetryOutcome = Record<RetryState | 'gone', number>

/**
 * Retries dead letters one after the other. A missing one is counted as gone; any other refusal ends the run and is
 * rethrown, with the numbers so far in place: a repeat continues where it stopped.
 */
export async function retryAll(
  letters: readonly DeadLetter[],
  retry: (letter: DeadLetter) => Promise<{ state: RetryState }>,
): Promise<RetryOutcome> {
  const outcome: RetryOutcome = { retried: 0, pending: 0, done: 0, gone: 0 }
  for (const letter of letters) {
    try {
      const { state } = await retry(letter)
      outcome[state] += 1
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
      outcome.gone += 1
    }
  }
  return outcome
}

/** `12 dead letters are on their queue again; 1 was there already` */
export function wordsOf({ retried, pending, done, gone }: RetryOutcome): string {
  const are = (count: number) => (count === 1 ? 'is' : 'are')
  const parts = [
    retried > 0 ? `${counted(retried, 'dead letter')} ${are(retried)} on the queue again` : '',
    pending > 0 ? `${pending} ${pending === 1 ? 'was' : 'were'} there already` : '',
    done > 0 ? `${done} ${done === 1 ? 'was' : 'were'} handled already` : '',
    gone > 0 ? `${gone} ${are(gone)} gone` : '',
  ]
  return parts.filter(Boolean).join('; ') || 'There was nothing to retry'
}
