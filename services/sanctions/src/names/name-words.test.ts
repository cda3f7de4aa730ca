import { expect, test } from 'bun:test'
import { isComparable, nameWords } from './name-words'

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
  ['Vla\u200bdimir Pu\u00adtin', ['vladimir', 'putin']],
  ['V\u3164ladimir \ufeffPutin\u{e0041}', ['vladimir', 'putin']],
  ['Mus‘ab O´Brien Oʻgʻli ʿAli', ['musab', 'obrien', 'ogli', 'ali']],
])('%s', (name, words) => {
  expect(nameWords(name)).toEqual(words)
})

test('a name of very many words has its first hundred', () => {
  expect(nameWords(Array.from({ length: 300 }, (_, i) => `w${i}`).join(' '))).toHaveLength(100)
})

test.each([
  ['Jong Un KIM', true],
  ['José Ørsted 3rd', true],
  ['Владимир Путин', false],
  // Its P is Cyrillic.
  ['Vladimir Рutin', false],
  ['Ali حسن', false],
  [' . ', false],
])('%s is comparable: %p', (name, expected) => {
  expect(isComparable(nameWords(name))).toBe(expected)
})
