import { currencyDecimals } from '@bursar/money'
import { FormatRegistry, Type } from '@sinclair/typebox'

FormatRegistry.Set('currency', (text) => currencyDecimals(text.toUpperCase()) !== null)

/** A currency by its ISO 4217 code, in any case; answers have it in upper case. */
export const currency = () =>
  Type.String({
    minLength: 3,
    maxLength: 3,
    format: 'currency',
    patternProblem: 'must be an ISO 4217 currency code, such as USD',
    description: 'The ISO 4217 code of the currency, such as USD',
  })
