import type { Db } from '@bursar/store'
import { beginning, type Place, type Seal, sealOver } from '../seals/block-hash'
import { readBlock } from '../seals/read-block'
import { sealAfter } from '../seals/read-journal'
import { AuditDifference } from './audit-difference'

/** More than the entries of any block: a seal with more is forged. */
const mostEntries = 10_000

/**
 * Recomputes the chain of seals from the first entry to the last seal: the entries with their transactions' terms, and
 * the rows stored beside them. Yields the number of entries read after each block, so that the caller may pause. Throws
 * AuditDifference at the first block that is not as it was sealed.
 */
export async function* auditChain(read: Db): AsyncGenerator<number> {
  let previous: Place = beginning
  for (;;) {
    const seal = await sealAfter(read, previous.number)
    if (!seal) return
    if (seal.number !== previous.number + 1) {
      throw new AuditDifference(`Hash chain: seal ${previous.number + 1} is missing; the next one is ${seal.number}`)
    }
    await checkSeal(read, seal, previous)
    yield seal.entries
    previous = seal
  }
}

async function checkSeal(read: Db, seal: Seal, previous: Place): Promise<void> {
  const found = await readBlock(read, previous, seal, Math.min(seal.entries, mostEntries) + 1)
  const { entries } = found
  const block = `entries ${previous.lastSeq + 1} to ${seal.lastSeq}`
  for (const [kind, word] of beside) {
    if (found[kind].length === seal[kind]) continue
    throw new AuditDifference(
      `Hash chain: ${found[kind].length} ${word} stand beside ${block}, ${seal[kind]} were sealed`,
    )
  }
  const computed = sealOver(found, seal, previous.hash)
  const isAlike = sealed.every((it) => computed[it] === seal[it])
  if (isAlike && seal.entries === seal.lastSeq - previous.lastSeq) return
  throw new AuditDifference(
    `Hash chain: ${block}, their transactions, or what was kept beside them, are not as they were sealed at ` +
      `${seal.sealedAt.toISOString()} (${entries.length} there, ${seal.entries} sealed)`,
  )
}

const beside = [
  ['keys', 'idempotency keys'],
  ['decisions', 'decisions'],
  ['assets', 'terms of assets'],
] as const
const sealed = ['lastSeq', 'entries', 'root', 'keysHash', 'decisionsHash', 'assetsHash', 'hash'] as const
