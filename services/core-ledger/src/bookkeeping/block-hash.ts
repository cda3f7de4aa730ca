import type { KeptKey } from '@bursar/store'
import { merkleRoot } from './merkle'
import { entryText, leafOf, type SealedEntry } from './sealed-entry'
import type { seals } from './seals.table'

export type Seal = typeof seals.$inferSelect

/** What the first block is chained to. */
export const genesis = '0'.repeat(64)

/** What a block covers, in order. */
export interface Block {
  entries: readonly SealedEntry[]
  keys: readonly KeptKey[]
}

/** A seal over a block as `form` has it; `at` says where in the chain, and when. */
export function sealOver(block: Block, at: Pick<Seal, 'form' | 'number' | 'lastKey' | 'sealedAt'>, previous: string) {
  const { entries, keys } = block
  const lastSeq = entries.at(-1)?.seq ?? 0
  const counts = { ...at, lastSeq, entries: entries.length, keys: keys.length }
  if (at.form === 1) return { ...counts, root: '', keysHash: '', hash: hashOfForm1(previous, entries) }
  const covered = { ...counts, root: merkleRoot(entries.map(leafOf)), keysHash: hashOfKeys(keys) }
  return { ...covered, hash: hashOfForm2(previous, covered) }
}

/** SHA-256 over the seal before it and each entry in order. */
function hashOfForm1(previous: string, entries: readonly SealedEntry[]): string {
  const hasher = new Bun.CryptoHasher('sha256').update(`${previous}\n`)
  for (const entry of entries) hasher.update(entryText(entry))
  return hasher.digest('hex')
}

/** SHA-256 over the seal before it and everything that this one says. */
function hashOfForm2(previous: string, seal: Omit<Seal, 'hash'>): string {
  const { form, number, root, entries, lastSeq, keys, lastKey, keysHash, sealedAt } = seal
  const text = JSON.stringify([form, number, previous, root, entries, lastSeq, keys, lastKey, keysHash, +sealedAt])
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}

function hashOfKeys(keys: readonly KeptKey[]): string {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const { place, scope, key, requestHash } of keys) hasher.update(JSON.stringify([place, scope, key, requestHash]))
  return hasher.digest('hex')
}
