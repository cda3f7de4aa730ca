import { expect, test } from 'bun:test'
import { countries } from './countries'

test('every country once, each with a name, in the order of names', () => {
  const codes = countries.map(([code]) => code)
  expect(codes).toHaveLength(249)
  expect(new Set(codes).size).toBe(249)
  expect(countries.filter(([code, name]) => name === code)).toEqual([])
  const names = countries.map(([, name]) => name)
  expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')))
  expect(countries).toContainEqual(['NO', 'Norway'])
})
