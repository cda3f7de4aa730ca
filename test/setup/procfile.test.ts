import { describe, expect, test } from 'bun:test'
import { serviceNames } from '@bursar/contracts/services'
import { allInOne, groups, inGroups } from '../../scripts/stack/groups'
import { addressesOf, chooseEntries, parseProcfile } from '../../scripts/stack/procfile'
import { isOldRedis } from '../../scripts/stack/redis-server'

describe('parseProcfile', () => {
  test('takes name and command, and skips comments and empty lines', () => {
    expect(parseProcfile('# all\n\nquote: exec bun a.ts --b: c\nlog-tracker:  exec bun d.ts\n')).toEqual([
      { name: 'quote', command: 'exec bun a.ts --b: c' },
      { name: 'log-tracker', command: 'exec bun d.ts' },
    ])
  })

  test('names the line that it cannot read', () => {
    expect(() => parseProcfile('quote exec bun')).toThrow('"name: command": quote exec bun')
  })
})

test('chooseEntries keeps the order of the Procfile', () => {
  const entries = parseProcfile('a: 1\nb: 2\nc: 3\n')
  expect(chooseEntries(entries, ['c', 'a']).map((entry) => entry.name)).toEqual(['a', 'c'])
})

describe('inGroups', () => {
  const together = (names: readonly string[]) => `all ${names.join(' ')}`
  const grouped = (text: string, by = groups) => inGroups(parseProcfile(text), by, together)

  test('has one line for the services of a group, in the order of the Procfile', () => {
    const text = 'quote: q\nworker: w\nwallet: x\ncore-ledger: l\nblockchain: b\n'
    expect(grouped(text)).toEqual([
      { name: 'ledger', command: 'all quote core-ledger' },
      { name: 'chains', command: 'all wallet blockchain' },
      { name: 'worker', command: 'w' },
    ])
    expect(grouped(text, allInOne)).toEqual([
      { name: 'bursar', command: 'all quote wallet core-ledger blockchain' },
      { name: 'worker', command: 'w' },
    ])
    expect(grouped(text, {})).toEqual(parseProcfile(text))
  })

  test('leaves a service alone that is the only one of its group', () => {
    expect(grouped('wallet: x\nquote: q\n')).toEqual(parseProcfile('wallet: x\nquote: q\n'))
  })

  test('each service is in one group', () => {
    for (const some of [groups, allInOne])
      expect(Object.values(some).flat().toSorted()).toEqual(serviceNames.toSorted())
  })
})

describe('addressesOf', () => {
  test('takes host and port from the environment, else from the catalogue', () => {
    const env = { HOST: '0.0.0.0', TRACKER_PORT: '5015', QUOTE_PORT: '' }
    expect(addressesOf(['quote', 'log-tracker', 'worker'], env)).toEqual([
      { name: 'quote', host: '0.0.0.0', port: 4001, variable: 'QUOTE_PORT', url: 'http://127.0.0.1:4001' },
      { name: 'log-tracker', host: '0.0.0.0', port: 5015, variable: 'TRACKER_PORT', url: 'http://127.0.0.1:5015' },
    ])
  })

  test('writes an IPv6 host in brackets', () => {
    expect(addressesOf(['quote'], { HOST: '::1' })[0]?.url).toBe('http://[::1]:4001')
  })
})

test.each([
  ['6.2.0', false],
  ['7.0.15', false],
  ['10.1', false],
  ['6.1.9', true],
  ['5.0', true],
  ['', true],
])('isOldRedis of %p is %p', (version, expected) => {
  expect(isOldRedis(version)).toBe(expected)
})
