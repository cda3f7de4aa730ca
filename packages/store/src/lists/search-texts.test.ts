import { expect, test } from 'bun:test'
import { startingWith, wordStarts } from './search-texts'

test.each([
  ['', []],
  [' ', []],
  ['Harbour', ['harbour']],
  ['Harbour Treasury', ['harbour treasury', 'treasury']],
  ['harbour-treasury_2', ['harbour-treasury_2', 'treasury_2', '2']],
  ['  "Ärzte" & Söhne ', ['"ärzte" & söhne', 'ärzte" & söhne', 'söhne']],
  ['same same', ['same same', 'same']],
])('%j is found from the beginning of each word', (text, starts) => {
  expect(wordStarts(text)).toEqual(starts)
})

test('a long text is cut, and has at most ten words', () => {
  expect(wordStarts('x'.repeat(300))).toEqual(['x'.repeat(100)])
  expect(wordStarts(Array.from({ length: 50 }, (_, i) => `w${i}`).join(' '))).toHaveLength(10)
})

test('what is typed finds all texts that start with it, and no other', () => {
  const { searchFrom, searchTo } = startingWith(' Har')
  const found = (text: string) => text >= searchFrom && text < searchTo
  expect(['har', 'harbour', 'har\u{1f600}', 'har zz'].every(found)).toBe(true)
  expect(['ha', 'has', 'hbr', 'ahar'].some(found)).toBe(false)
})
