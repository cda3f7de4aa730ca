export { AmountError, formatAmount, maxDigits, parseAmount, parsePositiveAmount } from './amount'
export { currencyDecimals } from './currency'
export { mean, median, rounding, scaled, worth } from './rate'
