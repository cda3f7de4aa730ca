import { describe, expect, test } from 'bun:test'
import { checkAddress } from './check-address'

const problem = (network: string, address: string): string => {
  try {
    checkAddress(network, address, 'destinationAddress')
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

// The vectors of EIP-55, BIP-173 and BIP-350; the others are published addresses of well-known contracts and accounts.
const valid: Record<string, string[]> = {
  ethereum: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x742d35cc6634c0532925a3b844bc454e4438f44e',
    '0x0000000000000000000000000000000000000000',
  ],
  'Polygon Amoy': ['0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'],
  base: ['0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'],
  'arbitrum-sepolia': ['0x27b1fdb04752bbc536007a920d24acb045561c26'],
  solana: [
    '11111111111111111111111111111111',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    '42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi',
  ],
  bitcoin: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
  ],
  tron: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TBHTJqAy4DhHhmT3dNceJYNRz4SdLofLre'],
  stellar: ['x', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ', 'y'.repeat(128)],
}

const invalid: Record<string, string[]> = {
  ethereum: [
    '',
    '0x',
    '742d35cc6634c0532925a3b844bc454e4438f44e',
    '0x742d35cc6634c0532925a3b844bc454e4438f44',
    '0x742d35cc6634c0532925a3b844bc454e4438f44eg',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
    '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
    '0X742d35cc6634c0532925a3b844bc454e4438f44e',
    ' 0x742d35cc6634c0532925a3b844bc454e4438f44e',
  ],
  solana: ['1111111111111111111111111111111', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5D0', 'x'.repeat(200), 'abc'],
  bitcoin: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    // Version 1 in bech32, version 0 in bech32m, versions and lengths that do not exist, mixed case.
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'bc1rw5uspcuh',
    'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7',
    'bc1gmk9yu',
  ],
  tron: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'T'],
  stellar: ['', ' ', 'a b', 'y'.repeat(129), 'é'],
}

describe.each(Object.entries(valid))('%s', (network, addresses) => {
  test.each(addresses)('takes %p', (address) => expect(problem(network, address)).toBe(''))
})

describe.each(Object.entries(invalid))('%s', (network, addresses) => {
  test.each(addresses)('refuses %p', (address) =>
    expect(problem(network, address)).toMatch(/^destinationAddress must /),
  )
})
