import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem'
import type { SendOrder } from '../network'
import { ownGas } from '../own-gas'
import { transferData } from './erc20'

/** The content of an order's transaction. */
export interface Payload {
  to: Address
  value: bigint
  data: Hex
  /** The gas limit of a portfolio's transaction; null: estimated. */
  gas: bigint | null
}

/**
 * A payment in the native coin or a token, or a portfolio's own transaction (`to`, and optionally `value`, `data` or
 * `input`, `gas` or `gasLimit`), whose fields are passed unchanged. Returns a text with the reason if there is none.
 */
export function payloadOf({ toAddress, contractAddress, amount, transactionData }: SendOrder): Payload | string {
  if (transactionData) return portfolioPayload(transactionData)
  if (contractAddress === null) return { to: getAddress(toAddress), value: amount, data: '0x', gas: null }
  return { to: getAddress(contractAddress), value: 0n, data: transferData(toAddress, amount), gas: null }
}

function portfolioPayload(raw: Record<string, unknown>): Payload | string {
  const { to, value = 0, input = '0x', data = input } = raw
  if (typeof to !== 'string' || !isAddress(to, { strict: false })) return 'transactionData.to is not an address'
  if (!isHex(data) || data.length % 2 !== 0) return 'transactionData.data is not hexadecimal'
  const wei = quantity(value)
  if (wei === null) return 'transactionData.value is not a whole number of wei'
  const asked = ownGas(raw)
  const limit = asked === null ? null : quantity(asked)
  if (asked !== null && limit === null) return 'transactionData.gas is not a whole number'
  return { to: getAddress(to), value: wei, data, gas: limit }
}

/** A whole number as a JSON number, a decimal text or a hexadecimal one; null for anything else, or above 256 bits. */
function quantity(value: unknown): bigint | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || !/^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(text)) return null
  const number = BigInt(text)
  return number < 2n ** 256n ? number : null
}
