import { createHash } from 'node:crypto'

/** The position of a key in the key tree; both numbers are below 2^31. */
export interface KeyPlace {
  account: number
  index: number
}

/** The deployment's own key: the first address in any wallet program with the same mnemonic. */
export const hotPlace: KeyPlace = { account: 0, index: 0 }

/**
 * The place of a wallet account's keys, from its id alone: after a restore from an older backup the same account has
 * the same addresses, and no other account can be given one that was handed out before. 62 bits of SHA-256: of a
 * million accounts two share a place once in ten million deployments, and the unique index on addresses notices.
 */
export function placeOf(walletAccountId: string): KeyPlace {
  const hash = createHash('sha256').update(walletAccountId.toLowerCase()).digest()
  return { account: hash.readUInt32BE(0) & 0x7fffffff, index: hash.readUInt32BE(4) & 0x7fffffff }
}
