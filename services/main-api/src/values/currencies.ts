import { FormatRegistry, Type } from '@sinclair/typebox'
import { code as currencyOf } from 'currency-codes'

/** Codes of the list that are no currency: for tests, and for none. */
const noCurrencies = ['XTS', 'XXX']

/** True for an ISO 4217 currency, in any case. */
export const isCurrency = (text: string): boolean =>
  /^[A-Za-z]{3}$/.test(text) && currencyOf(text) !== undefined && !noCurrencies.includes(text.toUpperCase())

FormatRegistry.Set('currency', isCurrency)

/** A currency by its ISO 4217 code; answers have it in upper case. */
export const currency = () =>
  Type.String({
    minLength: 3,
    maxLength: 3,
    format: 'currency',
    patternProblem: 'must be an ISO 4217 currency code, such as USD',
    description: 'The ISO 4217 code of the currency, such as USD',
  })
