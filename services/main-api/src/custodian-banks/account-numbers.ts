import { isValidBIC, isValidIBAN } from 'ibantools'
import isAbaRouting from 'validator/lib/isAbaRouting'

/**
 * Bank details in their normal form: no blanks or hyphens, ASCII letters in upper case. Other characters stay, and are
 * refused.
 */
export const normalNumber = (text: string): string =>
  text.replaceAll(/[\s-]/g, '').replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())

/**
 * The problem of an account number in its normal form; null for none. A number that begins like an IBAN must be one.
 */
export function accountNumberProblem(number: string): string | null {
  if (/^[A-Z]{2}\d{2}/.test(number)) return isValidIBAN(number) ? null : 'is not a valid IBAN'
  return /^[A-Z0-9]{1,34}$/.test(number) ? null : 'must be an IBAN, or 1 to 34 letters and digits'
}

/**
 * The problem of a routing number in its normal form, of a bank in a country (ISO 3166-1, two letters); null for
 * none. Nine digits are an ABA routing number; Canada has its own form of that length. A bank in the United
 * States has one or a BIC; elsewhere national clearing codes are accepted as well.
 */
export function routingNumberProblem(number: string, country: string): string | null {
  if (isCanadian(number, country) || isValidBIC(number)) return null
  if (/^\d{9}$/.test(number))
    return isAba(number) ? null : 'is not a valid ABA routing number: its check digit is wrong'
  if (country === 'US') return 'must be an ABA routing number of 9 digits, or a BIC'
  return isNationalCode(number) ? null : 'must be an ABA routing number, a BIC, or a national clearing code'
}

/** Nine zeros have a correct check digit, but no bank. */
const isAba = (number: string): boolean => isAbaRouting(number) && !/^0+$/.test(number)

/** 0, the institution (3 digits) and the branch (5). */
const isCanadian = (number: string, country: string): boolean => country === 'CA' && /^0\d{8}$/.test(number)

/** Sort codes, BSB, Bankleitzahlen and the like have 3 to 8 digits; India's IFSC has letters. */
const isNationalCode = (number: string): boolean => /^\d{3,8}$/.test(number) || /^[A-Z]{4}0[A-Z0-9]{6}$/.test(number)
