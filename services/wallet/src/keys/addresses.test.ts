import { describe, expect, test } from 'bun:test'
import { evmProblem, solanaProblem } from './addresses'

// The vectors of EIP-55; Solana's are published programs.
const evm = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
]
describe('addresses', () => {
  test.each(evm)('%s is one of EVM', (address) => expect(evmProblem(address)).toBeNull())

  test.each(['', '0x', evm[0]?.slice(2) ?? '', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', `${evm[5]}0`])(
    '"%s" is none of EVM',
    (address) => expect(evmProblem(address)).toMatch(/^must be /),
  )

  test.each(['11111111111111111111111111111111', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'])(
    '%s is one of Solana',
    (address) => expect(solanaProblem(address)).toBeNull(),
  )

  test.each(['', 'abc', '1111111111111111111111111111111', evm[0] ?? '', 'x'.repeat(200)])(
    '"%s" is none of Solana',
    (address) => expect(solanaProblem(address)).toMatch(/^must be /),
  )
})
