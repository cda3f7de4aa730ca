import { expect, test } from 'bun:test'
import { binder } from './compiled'
import { param } from './statements'
import { listParams, listSize, listValues } from './value-lists'

const ids = (count: number) => Array.from({ length: count }, (_, i) => `id-${i}`)

test.each([
  [1, 1],
  [2, 10],
  [3, 10],
  [10, 10],
  [11, 25],
  [26, 64],
  [65, 100],
  [100, 100],
])('%d ids go to the statement of %d', (count, size) => {
  const { id: values = [] } = listValues('id', ids(count))
  expect(listSize(ids(count))).toBe(size)
  expect(values).toHaveLength(size)
  expect(new Set(values).size).toBe(count)
})

test('each value has its placeholder', () => {
  const bind = binder([...listParams('id', 2), param('other'), ...listParams('id', 1)])
  expect(bind({ ...listValues('id', ['a', 'b']), other: 'c' })).toEqual(['a', 'b', 'c', 'a'])
  expect(listValues('id', ['a'])).toEqual({ id: ['a'] })
  expect(listValues('id', ['a', 'b'])).toEqual({ id: ['a', 'b', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a'] })
  for (const few of [{}, listValues('id', ['a'])]) {
    expect(() => bind({ ...few, other: 'c' })).toThrow('No 2 values for the list "id"')
  }
})

test('no values are no condition', () => {
  expect([listSize(undefined), listSize([])]).toEqual([0, 0])
  expect(listValues('id')).toEqual({ id: [] })
})

test('more than a statement takes are refused, not cut', () => {
  expect(() => listValues('id', ids(101))).toThrow('at most 100 values, not 101')
})
