import { expect, test } from 'bun:test'
import { listParams, listSize, listValues } from './value-lists'

const ids = (count: number) => Array.from({ length: count }, (_, i) => `id-${i}`)

test.each([
  [1, 1],
  [2, 10],
  [3, 10],
  [10, 10],
  [11, 25],
  [26, 100],
  [100, 100],
])('%d ids go to the statement of %d', (count, size) => {
  const values = Object.values(listValues('id', ids(count)))
  expect(listSize(ids(count))).toBe(size)
  expect(values).toHaveLength(size)
  expect(new Set(values).size).toBe(count)
})

test('each value has its placeholder', () => {
  expect(listParams('id', 2).map(({ name }) => String(name))).toEqual(['id0', 'id1'])
  expect(listValues('id', ['a'])).toEqual({ id0: 'a' })
  expect(Object.values(listValues('id', ['a', 'b']))).toEqual(['a', 'b', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a'])
})

test('no values are no condition', () => {
  expect([listSize(undefined), listSize([])]).toEqual([0, 0])
  expect(listValues('id')).toEqual({})
})

test('more than a statement takes are refused, not cut', () => {
  expect(() => listValues('id', ids(101))).toThrow('at most 100 values, not 101')
})
