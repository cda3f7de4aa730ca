import { describe, expect, test } from 'bun:test'
import { readFilter } from './account-filter'

const read = (query: string) => readFilter(new URLSearchParams(query))

describe('the filters of a list of accounts', () => {
  test.each([
    ['', {}],
    ['limit=3&filters=x&filtered[id]=y', {}],
    ['filter[id]=eq:a', { id: ['a'] }],
    ['filter%5Bid%5D=eq%3Aa', { id: ['a'] }],
    ['filter[id]=in:a', { id: ['a'] }],
    ['filter[id]=in:a,b,a', { id: ['a', 'b'] }],
    ['filter[externalId]=eq:a,b', { externalId: ['a,b'] }],
    ['filter[externalId]=eq:in:a', { externalId: ['in:a'] }],
    ['filter[id]=in:a,b&filter[address]=eq:c', { id: ['a', 'b'], address: ['c'] }],
  ])('%s', (query, filter) => {
    expect(read(query)).toEqual(filter)
  })

  test.each([
    'filter[id]=a',
    'filter[id]=',
    'filter[id]=eq:',
    'filter[id]=in:',
    'filter[id]=in:a,,b',
    'filter[id]=ne:a',
    'filter[id]=EQ:a',
    'filter[status]=eq:active',
    'filter[]=eq:a',
    'filter=eq:a',
    'filter.id=eq:a',
    'filter[id][eq]=a',
    `filter[id]=in:${Array.from({ length: 101 }, (_, i) => i)}`,
  ])('%s is refused', (query) => {
    expect(() => read(query)).toThrow()
  })

  test('the error names every problem', () => {
    expect(() => read('filter[id]=a&filter[name]=eq:b')).toThrow(
      'filter[id] must be eq:value or in:value1,value2; filter[name] is not a filter; there are filter[id], filter[externalId], filter[address]',
    )
  })
})
