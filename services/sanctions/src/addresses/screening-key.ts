import { comparableAddress } from '@bursar/contracts/address'

const bareHex = /^[0-9a-f]{40}$/i
/** A public key or payment id. */
const hexKey = /^[0-9a-f]{64}$/i
/** Bech32 may be all upper case; mixed case is invalid. */
const upperBech32 = /^[A-Z]{1,10}1[02-9AC-HJ-NP-Z]{8,}$/
const cashAddress = /^(?:bitcoincash:)?([qp][02-9ac-hj-np-z]{41})$/i

/**
 * The normalised form of an address, on any chain: without surrounding spaces, hexadecimal and bech32
 * in lower case, base58 as it is. Bitcoin Cash's prefix and the `0x` of an EVM address are optional.
 */
export function screeningKey(address: string): string {
  const text = address.trim()
  if (bareHex.test(text)) return `0x${text.toLowerCase()}`
  if (hexKey.test(text)) return text.toLowerCase()
  const cash = cashAddress.exec(text)?.[1]
  if (cash !== undefined && isOneCase(text)) return cash.toLowerCase()
  return upperBech32.test(text) ? text.toLowerCase() : comparableAddress(text)
}

const isOneCase = (text: string): boolean => text === text.toLowerCase() || text === text.toUpperCase()
