import { describe, expect, test } from 'bun:test'
import { searchableText, searchedText, wordsIn } from './router-data'

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
