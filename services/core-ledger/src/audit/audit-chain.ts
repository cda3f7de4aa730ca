import { type Db, type Ranges, sizeOf } from '@bursar/store'
import { type SealedKind, sealedKinds } from '../ledger/sealed-rows'
import { beginning, type Place, type Seal, sealOver } from '../seals/block-hash'
import { rangesOf, readBlock } from '../seals/read-block'
import { sealAfter } from '../seals/read-journal'
import { AuditDifference } from './audit-difference'
import { type Covered, coverage, requireListed, requireThere } from './coverage'

/** No block has as many rows: a seal with more is forged. */
const mostRows = 10_000

/**
 * Recomputes the chain of seals from the first to the last: entries with their transactions' terms, and the other
 * sealed rows. Then checks that each row of a sealed kind is in exactly one seal, or listed to be sealed. Yields the
 * number of entries read after each block, so that the caller may pause. Throws AuditDifference at the first
 * difference.
 */
export async function* auditChain(read: Db): AsyncGenerator<number> {
  const covered = coverage()
  let previous: Place = beginning
  for (let seal = await sealAfter(read, 0); seal; seal = await sealAfter(read, previous.number)) {
    if (seal.number !== previous.number + 1) {
      throw new AuditDifference(`Hash chain: seal ${previous.number + 1} is missing; the next one is ${seal.number}`)
    }
    await checkSeal(read, seal, previous, covered)
    yield seal.entries
    previous = seal
  }
  for (const kind of sealedKinds) {
    await requireThere(read, kind)
    yield* requireListed(read, kind, covered, previous)
  }
}

async function checkSeal(read: Db, seal: Seal, previous: Place, covered: Covered): Promise<void> {
  const ranges = rangesOf(seal, previous)
  const most = Math.min(mostRows, Math.max(...sealedKinds.map((kind) => seal[kind])) + 1)
  const found = await readBlock(read, ranges, most)
  const { entries } = found
  const block = `entries ${wordsOf(ranges.entries)}`
  for (const [kind, word] of beside) {
    if (found[kind].length === seal[kind]) continue
    throw new AuditDifference(
      `Hash chain: ${found[kind].length} ${word} stand beside ${block}, ${seal[kind]} were sealed`,
    )
  }
  const computed = sealOver(found, seal, previous.hash)
  const lastSeq = Math.max(previous.lastSeq, ranges.entries.at(-1)?.[1] ?? 0)
  // Up to form 3, rows of kinds other than entries have gaps between them.
  const isWhole = (kind: SealedKind) => (kind !== 'entries' && seal.form < 4) || sizeOf(ranges[kind]) === seal[kind]
  const isAlike = sealed.every((field) => computed[field] === seal[field]) && seal.lastSeq === lastSeq
  if (isAlike && sealedKinds.every(isWhole) && sealedKinds.every((kind) => covered.add(kind, ranges[kind]))) return
  throw new AuditDifference(
    `Hash chain: ${block}, their transactions, or what was kept beside them, are not as they were sealed at ` +
      `${seal.sealedAt.toISOString()} (${entries.length} there, ${seal.entries} sealed)`,
  )
}

const wordsOf = (ranges: Ranges): string => ranges.map(([from, to]) => `${from} to ${to}`).join(', ') || '(none)'

const beside = [
  ['keys', 'idempotency keys'],
  ['decisions', 'decisions'],
  ['assets', 'terms of assets'],
] as const
const sealed = ['entries', 'root', 'keysHash', 'decisionsHash', 'assetsHash', 'hash'] as const
