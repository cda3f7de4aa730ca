import { expect, test } from 'bun:test'
import { createSingleFlight } from './single-flight'

test('who wants the same at the same time shares it; who comes later starts anew', async () => {
  const flight = createSingleFlight<number>()
  let begun = 0
  const work = async () => ++begun
  expect(await Promise.all([flight('a', work), flight('a', work), flight('b', work)])).toEqual([1, 1, 2])
  expect(await flight('a', work)).toBe(3)
})

test('an error is shared, too, and not kept', async () => {
  const flight = createSingleFlight<string>()
  const fails = () => Promise.reject(new Error('no'))
  const results = await Promise.allSettled([flight('a', fails), flight('a', fails)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await flight('a', async () => 'yes')).toBe('yes')
})
