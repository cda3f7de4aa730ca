import { expect, test } from 'bun:test'
import { findingsOf } from './evidence'

const list = { list: 'OFAC SDN', version: '2024-09-27', ageDays: 3, checksum: 'sha256:ab' }

test('a list names the entry that has the address', () => {
  const matches = [{ entryId: '4711', asset: 'ETH', address: '0xa', name: 'SOMEONE' }]
  expect(findingsOf({ match: true, details: { ...list, matches } })).toEqual([
    {
      party: null,
      isMatch: true,
      list: { name: 'OFAC SDN', version: '2024-09-27', ageDays: 3, checksum: 'sha256:ab' },
      matches: [{ name: 'SOMEONE', detail: 'entry 4711 · ETH', url: null }],
    },
  ])
})

test('an entry that is called by its address has no id worth showing', () => {
  const matches = [{ entryId: 'ETH:0xa', asset: 'ETH', address: '0xa', name: null }]
  expect(findingsOf({ match: true, details: { ...list, matches } })[0]?.matches[0]?.detail).toBe('ETH')
})

test('a transaction has a finding for each party', () => {
  const parties = [
    { address: '0xa', match: false, ...list, matches: [] },
    { address: '0xb', match: true, ...list, matches: [{ entryId: 7, name: null }] },
  ]
  const found = findingsOf({ match: true, details: { parties } })
  expect(found.map(({ party, isMatch }) => [party, isMatch])).toEqual([
    ['0xa', false],
    ['0xb', true],
  ])
  expect(found[1]?.matches).toEqual([{ name: 'Not named by the list', detail: 'entry 7', url: null }])
})

test('another source says it in its own words; only a web address becomes a link', () => {
  const identifications = [
    { category: 'sanctions', name: 'SANCTIONS: X', description: 'Since 2022', url: 'https://example.org/x' },
    { category: 'sanctions', name: null, url: 'javascript:alert(1)' },
  ]
  expect(findingsOf({ match: true, details: { identifications } })[0]?.matches).toEqual([
    { name: 'SANCTIONS: X', detail: 'sanctions · Since 2022', url: 'https://example.org/x' },
    { name: 'sanctions', detail: 'sanctions', url: null },
  ])
  expect(findingsOf({ match: false, details: {} })).toEqual([{ party: null, isMatch: false, list: null, matches: [] }])
})
