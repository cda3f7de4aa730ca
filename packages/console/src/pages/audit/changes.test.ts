import { expect, test } from 'bun:test'
import { changesBetween, shownValue } from './changes'

test('fields that differ, also inside of others', () => {
  const before = { id: '1', status: 'active', config: { url: 'a', keep: 1 }, roles: ['viewer'], gone: true }
  const after = { id: '1', status: 'suspended', config: { url: 'b', keep: 1 }, roles: ['admin'], made: null }
  expect(changesBetween(before, after)).toEqual([
    { field: 'status', from: 'active', to: 'suspended' },
    { field: 'config.url', from: 'a', to: 'b' },
    { field: 'roles', from: ['viewer'], to: ['admin'] },
    { field: 'gone', from: true, to: undefined },
    { field: 'made', from: undefined, to: null },
  ])
})

test('nothing between two alike, and nothing to say where one is not known', () => {
  expect(changesBetween({ a: [1] }, { a: [1] })).toEqual([])
  expect(changesBetween(undefined, { a: 1 })).toBeNull()
  expect(changesBetween({ a: 1 }, null)).toBeNull()
  expect(changesBetween({ unreadable: 'late' }, { a: 1 })).toBeNull()
})

test('values on one line', () => {
  const values = ['x', 1, null, ['a', 'b'], [], [1], undefined]
  expect(values.map(shownValue)).toEqual(['x', '1', 'null', 'a, b', 'none', '[1]', '–'])
})
