import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { accountNumberProblem, normalNumber, routingNumberProblem } from './account-numbers'

/** Routing numbers that the banks publish. */
const published = ['021000021', '026009593', '011401533', '091000019', '121000248', '322271627']

const isAba = (number: string) => routingNumberProblem(number, 'US') === null

describe('an ABA routing number', () => {
  test.each(published)('%s is valid', (number) => expect(isAba(number)).toBe(true))

  test('is not valid with one digit changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...published), fc.nat(8), fc.integer({ min: 1, max: 9 }), (number, place, by) => {
        const digits = [...number]
        digits[place] = String((Number(digits[place]) + by) % 10)
        expect(isAba(digits.join(''))).toBe(false)
      }),
    )
  })

  test.each(['', '000000000', '02100002', '0210000211', '02100002x', '٠٢١٠٠٠٠٢١'])('%p is not valid', (number) =>
    expect(isAba(number)).toBe(false),
  )
})

describe('a routing number', () => {
  test.each([
    ['021000021', 'US'],
    ['021000021', 'DE'],
    ['CHASUS33', 'US'],
    ['CHASUS33XXX', 'US'],
    ['000300012', 'CA'],
    ['200000', 'GB'],
    ['37040044', 'DE'],
    ['HDFC0000001', 'IN'],
  ])('%s is valid in %s', (number, country) => expect(routingNumberProblem(number, country)).toBeNull())

  test.each([
    ['123456789', 'US', 'check digit'],
    ['123456789', 'GB', 'check digit'],
    ['000300012', 'US', 'check digit'],
    ['200000', 'US', 'ABA routing number of 9 digits'],
    ['CHASXX33', 'US', 'ABA routing number of 9 digits'],
    ['12', 'GB', 'clearing code'],
    ['1234567890', 'GB', 'clearing code'],
    ['', 'GB', 'clearing code'],
  ])('%s is not valid in %s', (number, country, words) =>
    expect(routingNumberProblem(number, country)).toContain(words),
  )
})

describe('an account number', () => {
  test.each(['DE89370400440532013000', 'GB82WEST12345698765432', '000123456789', 'A1'])('%s is valid', (number) =>
    expect(accountNumberProblem(number)).toBeNull(),
  )
  test.each(['DE89370400440532013001', 'GB82', 'XX82WEST12345698765432', '', '1'.repeat(35), '12/34', 'Ä1'])(
    '%s is not valid',
    (number) => expect(accountNumberProblem(number)).not.toBeNull(),
  )
})

test('the normal form has no blanks, no hyphens and no small letters', () => {
  expect(normalNumber(' de89 3704-0044\t0532 0130 00 ')).toBe('DE89370400440532013000')
})
