import { comparableAddress } from '@bursar/contracts/address'
import type { Signature } from '../orders/signatures'

type NoncePlace = Pick<Signature, 'network' | 'sender' | 'nonce'>

/**
 * Nonces that were requested and not signed. A chain uses the nonces of a sender in order: the blockchain
 * service drops signatures after a gap and requests them again with another nonce, which is not signed while the
 * dropped one may be mined. So nothing is signed after a gap. Only a short-lived hint: signatures are
 * in the table of signatures.
 */
export interface NonceGaps {
  /** The nonce was requested, but not signed. */
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
      gaps.getOrInsertComputed(senderKey(sender), () => new Map()).set(nonce, now() + keptMs)
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

/** Identifies a sender's sequence of nonces. */
export const senderKey = ({ network, sender }: Pick<Signature, 'network' | 'sender'>): string =>
  `${network} ${comparableAddress(sender)}`
