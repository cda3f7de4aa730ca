import { evmProblem } from '../keys/addresses'

/** True for 0x and two hexadecimal digits for each byte; none is allowed. In linear time, however long it is. */
export const isHexBytes = (text: string): boolean => text.length % 2 === 0 && /^0x[0-9a-fA-F]*$/.test(text)

/** A portfolio's raw transaction cannot be parsed; the message follows `transactionData.` */
export class RequestedTransactionError extends Error {
  override name = 'RequestedTransactionError'
}

/** The content of a portfolio's raw transaction (as for eth_sendTransaction); its gas and fee fields are ignored. */
export interface RequestedTransaction {
  to: string
  value: bigint
  data: string
  /** In lower case; null if no sender is given. */
  from: string | null
}

const mostValue = 2n ** 256n
/** With the rest of the transaction it fits into `unsigned` (contracts/wallet.ts); nodes accept less. */
const mostData = 190_000

/** Reads a raw transaction. Quantities are hexadecimal (0x…), decimal strings, or whole numbers. */
export function requestedTransaction(raw: Record<string, unknown>): RequestedTransaction {
  const { to, from, value = '0x0', data, input } = raw
  if (typeof to !== 'string' || evmProblem(to)) throw new RequestedTransactionError('to must be an EVM address')
  if (from !== undefined && (typeof from !== 'string' || evmProblem(from))) {
    throw new RequestedTransactionError('from must be an EVM address')
  }
  if (data !== undefined && input !== undefined && data !== input) {
    throw new RequestedTransactionError('data and input must not differ')
  }
  const bytes = data ?? input ?? '0x'
  if (typeof bytes !== 'string' || !isHexBytes(bytes) || bytes.length > mostData) {
    throw new RequestedTransactionError(`data must be hexadecimal, with 0x, and at most ${mostData} characters long`)
  }
  return { to, value: quantity(value), data: bytes, from: typeof from === 'string' ? from.toLowerCase() : null }
}

function quantity(value: unknown): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  const isNumber = typeof text === 'string' && /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(text)
  const number = isNumber ? BigInt(text) : mostValue
  if (number < mostValue) return number
  throw new RequestedTransactionError('value must be a whole number of wei: 0x…, a decimal string, or a number')
}
