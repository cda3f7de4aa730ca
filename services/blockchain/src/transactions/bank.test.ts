import { describe, expect, test } from 'bun:test'
import { ibanField, swiftField } from './bank'

describe('iban', () => {
  // The examples of the IBAN registry (SWIFT).
  test.each(['DE89370400440532013000', 'GB29NWBK60161331926819', 'NO9386011117947', 'MT84MALT011000012345MTLCAST001S'])(
    '%s',
    (iban) => expect(ibanField(iban)).toBe(iban),
  )

  test('spaces and case are folded', () => {
    expect(ibanField('de89 3704 0044 0532 0130 00')).toBe('DE89370400440532013000')
  })

  test.each([
    ['DE88370400440532013000', 'wrong check sum'],
    ['DE89370400440532013001', 'wrong check sum'],
    ['89DE370400440532013000', 'must be an IBAN'],
    ['DE89-3704', 'must be an IBAN'],
  ])('%s is refused', (iban, words) => expect(() => ibanField(iban)).toThrow(words))
})

describe('swift', () => {
  test.each(['COBADEFF', 'cobadeffxxx', 'DEUTDEFF500'])('%s', (bic) => expect(swiftField(bic)).toBe(bic.toUpperCase()))
  test.each(['COBADEF', 'COBADEFFXX', 'COBA1EFF', 'COBADEFF-XX'])('%s is refused', (bic) =>
    expect(() => swiftField(bic)).toThrow(/^swift must be/),
  )
})
