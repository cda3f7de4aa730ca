import { sha256 } from '@bursar/http'
import { base58 } from '@scure/base'
import type { NetworkSettings } from './network'

type Form = NetworkSettings['form']

const evmAddress = /^0x[0-9a-f]{40}$/i
const evmHash = /^0x[0-9a-f]{64}$/i
const visible = /^[\x21-\x7e]{1,128}$/

/** The address in its display form; null when it is not an address of the network's form. */
export function addressOf(form: Form, text: string): string | null {
  if (form === 'evm') return evmAddress.test(text) ? text : null
  if (form === 'solana') return hasBytes(text, 32) ? text : null
  return visible.test(text) ? text : null
}

/** The same for hashes of transactions. */
export function hashOf(form: Form, text: string): string | null {
  if (form === 'solana') return hasBytes(text, 64) ? text : null
  const withPrefix = form === 'evm' && /^[0-9a-f]{64}$/i.test(text) ? `0x${text}` : text
  return evmHash.test(withPrefix) ? withPrefix.toLowerCase() : null
}

/** A hash in the form of the network. */
export function hashText(form: Form, text: string): string {
  if (form === 'solana') return base58.encode(new Bun.CryptoHasher('sha512').update(text).digest())
  return `0x${sha256(text)}`
}

/** The payer of simulated pay-ins without a source. */
export const outside: Record<Form, string> = {
  evm: `0x${'0'.repeat(40)}`,
  solana: '1'.repeat(32),
  free: 'outside',
}

function hasBytes(text: string, length: number): boolean {
  try {
    return text.length <= 128 && base58.decode(text).length === length
  } catch {
    return false
  }
}
