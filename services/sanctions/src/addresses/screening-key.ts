import { comparableAddress } from '@bursar/contracts/address'

const bareHex = /^[0-9a-f]{40}$/i
/** A public key or payment id. */
const hexKey = /^[0-9a-f]{64}$/i
/** Bech32 may be all upper case; mixed case is invalid. */
const upperBech32 = /^[A-Z]{1,10}1[02-9AC-HJ-NP-Z]{8,}$/
const cashAddress = /^(?:bitcoincash:)?([qp][02-9ac-hj-np-z]{41})$/i

const coins = 'bitcoin|litecoin|dogecoin|dash|zcash|monero|ripple|tron|solana|ethereum'
const chains = '(?:eip155|bip122|solana|tron|xrpl):[\\w-]{1,32}'
/** A payment link (BIP 21, EIP 681, Solana Pay) or an address with its chain (CAIP 10): the address is in the brackets. */
const link = new RegExp(`^(?:${coins}|${chains}):(?:pay-)?([0-9a-z]+)(?:[@/?].*)?$`, 'i')

/** What a link has as a parameter: EIP 681 names a token's contract first, and then who gets its coins. */
const recipient = /\/transfer\?(?:.*&)?address=([0-9a-z]+)/i
/** Bitcoin Cash's prefix is part of an address. */
const cashLink = /^(bitcoincash:[0-9a-z]+)\?/i
/** Without spaces, and without what nobody sees: an address has neither, also where a list or a caller writes them inside. */
export const withoutUnseen = (text: string): string => text.replace(/[\s\p{Default_Ignorable_Code_Point}]+/gu, '')

/** An address as it stands on its chain: without spaces, and without the link that it may be given in. */
export function bareAddress(written: string): string {
  const text = withoutUnseen(written)
  const inside = link.exec(text)?.[1]
  if (inside !== undefined) return recipient.exec(text)?.[1] ?? inside
  return cashLink.exec(text)?.[1] ?? text
}

/**
 * The normalised form of an address, on any chain: bare, hexadecimal and bech32 in lower case, base58 as it is. Bitcoin
 * Cash's prefix and the `0x` of an EVM address are optional.
 */
export function screeningKey(address: string): string {
  const text = bareAddress(address)
  if (bareHex.test(text)) return `0x${text.toLowerCase()}`
  if (hexKey.test(text)) return text.toLowerCase()
  const cash = cashAddress.exec(text)?.[1]
  if (cash !== undefined && isOneCase(text)) return cash.toLowerCase()
  return upperBech32.test(text) ? text.toLowerCase() : comparableAddress(text)
}

const isOneCase = (text: string): boolean => text === text.toLowerCase() || text === text.toUpperCase()
