import { expect, test } from 'bun:test'
import { AppError } from '@bursar/http'
import { fail } from '../errors'
import { createFailureBudget } from './failure-budget'

const perMinute = 3

/** All that can go on has. */
const passed = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Look-ups that end when the test says so. */
function lookUps(budget = createFailureBudget(perMinute, () => 0)) {
  const open: PromiseWithResolvers<string>[] = []
  let most = 0
  const ask = (digest: string, address = 'here') =>
    budget
      .watch(address, digest, () => {
        const answer = Promise.withResolvers<string>()
        most = Math.max(most, open.push(answer))
        return answer.promise
      })
      .catch((error: unknown) => (error instanceof AppError ? error.code : String(error)))
  /** Ends all that are open, and those that follow them. */
  async function end(how: (answer: PromiseWithResolvers<string>) => void): Promise<void> {
    for (;;) {
      await passed()
      const answer = open.shift()
      if (!answer) return
      how(answer)
    }
  }
  return { ask, end, open, most: () => most }
}

const right = 'right'
const asKnown = ({ resolve }: PromiseWithResolvers<string>) => resolve(right)
const asWrong = ({ reject }: PromiseWithResolvers<string>) => reject(fail('INVALID_API_KEY'))
const asAway = ({ reject }: PromiseWithResolvers<string>) => reject(fail('SERVICE_UNAVAILABLE'))
const outcomes = (answers: readonly string[]) =>
  Object.fromEntries(
    Map.groupBy(answers, (each) => each)
      .entries()
      .map(([code, all]) => [code, all.length]),
  )

test('guesses that come together are looked up as few times as those that follow each other', async () => {
  const { ask, end, most } = lookUps()
  const answers = Promise.all(Array.from({ length: 50 }, (_, i) => ask(`guess ${i}`)))
  await end(asWrong)
  expect(outcomes(await answers)).toEqual({ INVALID_API_KEY: perMinute, RATE_LIMITED: 47 })
  expect(most()).toBe(perMinute)
  expect(await ask('another guess')).toBe('RATE_LIMITED')
})

test('right ones that come together all pass, and so do those whose look-up fails otherwise', async () => {
  for (const [how, code] of [
    [asKnown, right],
    [asAway, 'SERVICE_UNAVAILABLE'],
  ] as const) {
    const { ask, end, most } = lookUps()
    const answers = Promise.all(Array.from({ length: 20 }, (_, i) => ask(`key ${i}`)))
    await end(how)
    expect(outcomes(await answers)).toEqual({ [code]: 20 })
    expect(most()).toBeLessThanOrEqual(perMinute)
  }
})

test('requests with the same credentials do not wait for each other, nor one address for another', async () => {
  const { ask, end, open } = lookUps()
  const answers = Promise.all([
    ...Array.from({ length: 4 * perMinute }, (_, i) => ask(`key ${i % perMinute}`)),
    ...['a', 'b', 'c'].map((key) => ask(key, 'there')),
  ])
  await passed()
  expect(open).toHaveLength(15)
  await end(asKnown)
  expect(outcomes(await answers)).toEqual({ right: 15 })
})
