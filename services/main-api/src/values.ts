import { t } from '@bursar/contracts/schema'
import { currencyDecimals } from '@bursar/money'
import { FormatRegistry } from '@sinclair/typebox'
import { isValid, toAlpha2 } from 'i18n-iso-countries/index'

const code = /^[A-Za-z]{2,3}$/

/**
 * The two letters of an ISO 3166-1 country, from its two- or three-letter code, case-insensitive; undefined when there
 * is none.
 */
export function countryCode(text: string): string | undefined {
  const upper = text.toUpperCase()
  return code.test(text) && isValid(upper) ? toAlpha2(upper) : undefined
}

FormatRegistry.Set('country', (value) => countryCode(value) !== undefined)

/** A country by its ISO 3166-1 code of two or three letters; answers have the two. */
export const country = (description: string) =>
  t.String({
    maxLength: 3,
    minLength: 2,
    format: 'country',
    patternProblem: 'must be an ISO 3166-1 country code, such as US',
    description,
  })

/** The code of a country that a schema has accepted. */
export function knownCountry(text: string): string {
  const found = countryCode(text)
  if (found === undefined) throw new Error(`There is no country ${text}`)
  return found
}

FormatRegistry.Set('currency', (text) => currencyDecimals(text.toUpperCase()) !== null)

/** A currency by its ISO 4217 code, case-insensitive; answers have it in upper case. */
export const currency = () =>
  t.String({
    minLength: 3,
    maxLength: 3,
    format: 'currency',
    patternProblem: 'must be an ISO 4217 currency code, such as USD',
    description: 'The ISO 4217 code of the currency, such as USD',
  })

FormatRegistry.Set('plain-text', (value) => !/[^\P{Cc}\n\r\t]/u.test(value))

/** Text of several lines, without other control characters. */
export const lines = (maxLength: number) =>
  t.String({ maxLength, format: 'plain-text', patternProblem: 'must not hold control characters' })
