import type { Db } from '@bursar/store'
import { AuditDifference } from './audit-difference'
import { blockHash, genesis } from './block-hash'
import { entriesBetween, type Seal, sealAfter } from './read-journal'

/**
 * Recomputes the hash chain from the first entry to the last seal. Yields the number of entries read after each chunk,
 * so that who drives it may pause. Throws AuditDifference at the first block whose entries are not those that were
 * sealed.
 */
export async function* auditChain(read: Db): AsyncGenerator<number> {
  let previous: Pick<Seal, 'lastSeq' | 'hash'> = { lastSeq: 0, hash: genesis }
  for (;;) {
    const seal = await sealAfter(read, previous.lastSeq)
    if (!seal) return
    const hash = blockHash(previous.hash)
    let count = 0
    for (let seq = previous.lastSeq; seq < seal.lastSeq; ) {
      const entries = await entriesBetween(read, seq, seal.lastSeq)
      for (const entry of entries) hash.add(entry)
      seq = entries.at(-1)?.seq ?? seal.lastSeq
      count += entries.length
      yield entries.length
    }
    if (count !== seal.entries || hash.digest() !== seal.hash) {
      const block = `entries ${previous.lastSeq + 1} to ${seal.lastSeq}`
      throw new AuditDifference(
        `Hash chain: ${block} are not as they were sealed at ${seal.sealedAt.toISOString()} (${count} there, ${seal.entries} sealed)`,
      )
    }
    previous = seal
  }
}
