import { type Db, keptKeys } from '@bursar/store'
import { AuditDifference } from './audit-difference'
import { genesis, type Seal, sealOver } from './block-hash'
import { entriesBetween, sealAfter } from './read-journal'
import { mostKeys } from './seal-journal'

/** More than any block has: a seal that says more is not ours. */
const mostEntries = 10_000

const beforeAll = { number: 0, lastSeq: 0, lastKey: 0, hash: genesis }

/**
 * Recomputes the chain of seals from the first entry to the last seal: the entries with their transactions' terms, and
 * the idempotency keys. Yields the number of entries read after each block, so that who drives it may pause. Throws
 * AuditDifference at the first block that is not as it was sealed.
 */
export async function* auditChain(read: Db): AsyncGenerator<number> {
  let previous: Pick<Seal, 'number' | 'lastSeq' | 'lastKey' | 'hash'> = beforeAll
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

async function checkSeal(read: Db, seal: Seal, previous: typeof beforeAll): Promise<void> {
  const entries = await entriesBetween(read, previous.lastSeq, seal.lastSeq, Math.min(seal.entries, mostEntries) + 1)
  const keys = await keptKeys(read, previous.lastKey, seal.lastKey, mostKeys + 1)
  const block = `entries ${previous.lastSeq + 1} to ${seal.lastSeq}`
  if (keys.length !== seal.keys) {
    throw new AuditDifference(
      `Hash chain: ${keys.length} idempotency keys stand beside ${block}, ${seal.keys} were sealed`,
    )
  }
  const computed = sealOver({ entries, keys }, seal, previous.hash)
  const isAlike = (['lastSeq', 'entries', 'root', 'keysHash', 'hash'] as const).every((it) => computed[it] === seal[it])
  if (isAlike && seal.entries === seal.lastSeq - previous.lastSeq) return
  throw new AuditDifference(
    `Hash chain: ${block}, or their transactions, are not as they were sealed at ${seal.sealedAt.toISOString()} ` +
      `(${entries.length} there, ${seal.entries} sealed)`,
  )
}
