import { comparableAddress } from '@bursar/contracts/address'
import type { Signature } from '../orders/signatures'

type NoncePlace = Pick<Signature, 'network' | 'sender' | 'nonce'>

/**
 * Nonces that were asked for and not signed. A chain takes the nonces of a sender one after the other: the blockchain
 * service drops what is signed behind a gap and asks for it again under another nonce, which is not signed while the
 * dropped one may be mined. So nothing is signed behind a gap. A hint for a short while, and no more: what was signed is
 * in the table of signatures.
 */
export interface NonceGaps {
  /** The nonce was asked for, and is not signed. */
  open(place: NoncePlace): void
  /** It is signed. */
  close(place: NoncePlace): void
  isBehind(place: NoncePlace): boolean
}

const keptMs = 10_000
const mostSenders = 10_000

export function createNonceGaps(now: () => number = () => performance.now()): NonceGaps {
  const gaps = new Map<string, Map<number, number>>()
  return {
    open({ nonce, ...sender }) {
      if (nonce === null) return
      if (gaps.size > mostSenders) gaps.clear()
      const key = senderKey(sender)
      const known = gaps.get(key) ?? new Map<number, number>()
      gaps.set(key, known.set(nonce, now() + keptMs))
    },
    close({ nonce, ...sender }) {
      const key = senderKey(sender)
      const known = gaps.get(key)
      if (nonce !== null) known?.delete(nonce)
      if (known?.size === 0) gaps.delete(key)
    },
    isBehind({ nonce, ...sender }) {
      if (nonce === null) return false
      const known = [...(gaps.get(senderKey(sender)) ?? [])]
      return known.some(([gap, until]) => gap < nonce && until > now())
    },
  }
}

/** Whose nonces follow each other. */
export const senderKey = ({ network, sender }: Pick<Signature, 'network' | 'sender'>): string =>
  `${network} ${comparableAddress(sender)}`
