export { AmountError, formatAmount, maxDigits, parseAmount, parsePositiveAmount } from './amount'
export { currencyDecimals } from './currency'
export { type Decimal, mean, median, type Rounding, rounding, scaled, worth } from './rate'
