import { expect, test } from 'bun:test'
import { failCommon } from '../errors/errors'
import { answersOf, orRefusal, unlessRefused } from './answer-together'

const refusal = failCommon('CONFLICT')

test('a refusal is given, and thrown to whom it concerns; what went wrong otherwise is thrown at once', () => {
  expect(orRefusal(() => 'made')).toBe('made')
  const refused = orRefusal(() => {
    throw refusal
  })
  expect(refused).toBe(refusal)
  expect(() => unlessRefused(refused)).toThrow(refusal)
  expect(unlessRefused('made')).toBe('made')
  const broken = new Error('broken')
  expect(() => {
    // Not given back: Bun takes an error that is for one that was thrown.
    orRefusal(() => {
      throw broken
    })
  }).toThrow(broken)
})

test('each request that is not refused is answered with its own outcome', async () => {
  const answers = await answersOf(['a', 'b', 'c'], [1, refusal, 3], async (request, outcome) => `${request}${outcome}`)
  expect(answers).toEqual(['a1', refusal, 'c3'])
})
