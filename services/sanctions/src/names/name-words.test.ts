import { expect, test } from 'bun:test'
import { nameWords } from './name-words'

test.each([
  ['Jong Un KIM', ['jong', 'un', 'kim']],
  ['  kim,JONG-UN ', ['kim', 'jong', 'un']],
  ['José O’Brién', ['jose', 'obrien']],
  ["O'Brien", ['obrien']],
  ['Łukasz Ørsted-Großmann', ['lukasz', 'orsted', 'grossmann']],
  ['Vladimir V. Putin', ['vladimir', 'putin']],
  ['Ali Ali Hassan', ['ali', 'hassan']],
  ['Ｋｉｍ', ['kim']],
  ['X', ['x']],
  ['Владимир Путин', ['владимир', 'путин']],
  [' .,- ', []],
  ['__proto__ constructor', ['proto', 'constructor']],
])('%s', (name, words) => {
  expect(nameWords(name)).toEqual(words)
})

test('a name of very many words has its first hundred', () => {
  expect(nameWords(Array.from({ length: 300 }, (_, i) => `w${i}`).join(' '))).toHaveLength(100)
})
