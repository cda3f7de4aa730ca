import { describe, expect, test } from 'bun:test'
import { routerDataProblem, searchableText, searchedText, wordsIn } from './words'

describe('the words in router data', () => {
  test.each([
    [null, []],
    [{}, []],
    [{ a: 'b' }, ['a', 'b']],
    [{ a: { b: ['c', 1, { d: true }] }, e: null, f: '' }, ['1', 'a', 'b', 'c', 'd', 'e', 'f', 'true']],
    [{ a: 'a', b: 'a' }, ['a', 'b']],
    [{ a: 'x'.repeat(256) }, ['a']],
  ])('of %j', (data, words) => {
    expect(wordsIn(data).sort()).toEqual(words)
  })
})

describe('a search in router data', () => {
  const finds = (wanted: string, data: Record<string, unknown>) =>
    searchableText(data)?.includes(searchedText(wanted).toLowerCase())

  test.each(['eu', 'EU-West', '"region"', '{"region": "eu-west"}', '{ "hops" : [1, 2] }', '[1, 2]', '1'])(
    'finds %s',
    (wanted) => {
      expect(finds(wanted, { region: 'eu-west', hops: [1, 2] })).toBe(true)
    },
  )

  test.each(['us', '{"region":"eu"}', '[2,1]'])('does not find %s', (wanted) => {
    expect(finds(wanted, { region: 'eu-west', hops: [1, 2] })).toBe(false)
  })

  test('finds nothing in none', () => {
    expect(searchableText(null)).toBeNull()
  })
})

describe('router data from a caller', () => {
  const words = (count: number) => ({ list: Array.from({ length: count - 1 }, (_, i) => i) })
  const bytes = (size: number) => ({ text: 'x'.repeat(size - '{"text":""}'.length) })

  test.each([[null], [{}], [words(1000)], [bytes(32 * 1024)], [{ a: Array.from({ length: 16_000 }, () => 1) }]])(
    'is taken',
    (data) => {
      expect(routerDataProblem(data)).toBeNull()
    },
  )

  test.each([
    ['a list', [], 'must be an object'],
    ['a text', 'x', 'must be an object'],
    ['a number that JSON cannot say again', { a: [Number.POSITIVE_INFINITY] }, 'must hold no number beyond 1.8e308'],
    ['one word more', words(1001), 'must have at most 1000 different keys and values'],
    ['one byte more', bytes(32 * 1024 + 1), 'must have at most 32 KiB as JSON'],
    ['characters of several bytes', { text: 'ä'.repeat(17_000) }, 'must have at most 32 KiB as JSON'],
    [
      'as many parts as cannot fit',
      { a: Array.from({ length: 17_000 }, () => [1]) },
      'must have at most 32 KiB as JSON',
    ],
    ['numbers without end', words(140_000), 'must have at most 32 KiB as JSON'],
  ])('is refused: %s', (_what, data, problem) => {
    expect(routerDataProblem(data)).toBe(problem)
  })
})
