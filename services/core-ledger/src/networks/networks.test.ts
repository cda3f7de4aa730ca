import { expect, test } from 'bun:test'
import { familyOf, normalHash, normalNetwork, transferKey } from './networks'

const digits = 'Ab'.repeat(32)
const folded = 'ab'.repeat(32)

test.each(['ethereum', 'Ethereum', 'ETHEREUM', ' ethereum ', 'ethereum\t', 'ｅthereum'])('%j is ethereum', (name) => {
  expect(normalNetwork(name)).toBe('ethereum')
  expect(familyOf(name)).toBe('evm')
})

test('a family is known by the first word', () => {
  expect(['Polygon Amoy', 'ethereum-sepolia', 'Solana Devnet', 'bitcoin2', 'mynet', ''].map(familyOf)).toEqual([
    'evm',
    'evm',
    'solana',
    'bitcoin',
    'other',
    'other',
  ])
})

test.each([
  ['ethereum', digits, `0x${folded}`],
  ['ethereum', `0x${digits}`, `0x${folded}`],
  ['ethereum', ` 0X${digits}\n`, `0x${folded}`],
  ['mynet', digits, `0x${folded}`],
  ['mynet', `0x${digits}`, `0x${folded}`],
  ['mynet', 'ref-A', 'ref-A'],
  ['bitcoin', digits, folded],
  ['bitcoin', `0x${digits}`, folded],
  ['tron', digits, folded],
  ['solana', '5SigABC', '5SigABC'],
  ['solana', digits, digits],
])('on %s the hash %j is %s', (network, hash, normal) => {
  expect(normalHash(network, hash)).toBe(normal)
})

test('a transfer has one key, however its network and hash are written', () => {
  const key = `ethereum 0x${folded} 0`
  expect(transferKey('Ethereum ', digits, 0)).toBe(key)
  expect(transferKey('ethereum', `0x${folded}`, 0)).toBe(key)
  expect(transferKey('ethereum', digits, 1)).not.toBe(key)
  expect(transferKey('polygon', digits, 0)).not.toBe(key)
})
