import { expect, test } from 'bun:test'
import { ApiError } from '../../api/api-error'
import type { DeadLetter, RetryState } from './health-query'
import { retryAll, wordsOf } from './retry-letters'

const letters = ['a', 'b', 'c', 'd'].map(
  (id): DeadLetter => ({ id, consumer: 'webhook', events: [], attempts: 1, error: '', at: '' }),
)

test('each is retried once, in its order, and what became of it is counted', async () => {
  const asked: string[] = []
  const states: Record<string, RetryState> = { a: 'retried', b: 'pending', d: 'done' }
  const outcome = await retryAll(letters, async ({ id }) => {
    asked.push(id)
    const state = states[id]
    if (!state) throw new ApiError(404, 'There is no such dead letter')
    return { state }
  })
  expect(asked).toEqual(['a', 'b', 'c', 'd'])
  expect(outcome).toEqual({ retried: 1, pending: 1, done: 1, gone: 1 })
})

test('another refusal ends it', async () => {
  const asked: string[] = []
  const refused = retryAll(letters, async ({ id }) => {
    asked.push(id)
    throw new ApiError(503, 'Redis does not answer right now')
  })
  await expect(refused).rejects.toThrow('Redis does not answer')
  expect(asked).toEqual(['a'])
})

test('the outcome in words', () => {
  const none = { retried: 0, pending: 0, done: 0, gone: 0 }
  expect(wordsOf({ ...none, retried: 1 })).toBe('1 dead letter is on the queue again')
  expect(wordsOf({ retried: 12, pending: 1, done: 2, gone: 3 })).toBe(
    '12 dead letters are on the queue again; 1 was there already; 2 were handled already; 3 are gone',
  )
  expect(wordsOf(none)).toBe('There was nothing to retry')
})
