import { JournalSealed, type LedgerHead } from '@bursar/contracts/ledger-seals'
import { type Db, emit, type Tx } from '@bursar/store'
import { genesis } from '../seals/block-hash'
import { lastSeal, sealAt } from '../seals/read-journal'
import { ensureLineage, lineageOf } from './lineage'

/**
 * Why a head is not of this ledger: this one is another or an empty one, an older copy, or a rewritten one. Null when
 * it is, or when this ledger replaced that one by NEW_BOOKS=yes.
 */
export async function differenceFrom(db: Db, head: LedgerHead): Promise<string | null> {
  const own = await lineageOf(db)
  if (own?.before === head.books) return null
  if (own?.books !== head.books) {
    return `The ledger has books ${own?.books ?? 'without a name'}; those that were sealed last are ${head.books}, up to entry ${head.lastSeq}`
  }
  if (head.number === 0) return null
  const seal = await sealAt(db, head.number)
  if (seal?.hash === head.hash) return null
  if (seal) return `The ledger was rewritten: entry ${head.lastSeq} was sealed with another hash at ${head.sealedAt}`
  const last = await lastSeal(db)
  return `The ledger is sealed up to entry ${last?.lastSeq ?? 0}; it was sealed up to entry ${head.lastSeq} at ${head.sealedAt}`
}

/** The newest seal, with this ledger's lineage. */
export async function ownHead(tx: Tx, now: Date): Promise<LedgerHead> {
  const { books } = await ensureLineage(tx)
  const seal = await lastSeal(tx)
  const { number = 0, lastSeq = 0, hash = genesis, sealedAt = now } = seal ?? {}
  return { v: 1, books, number, lastSeq, hash, sealedAt: sealedAt.toISOString() }
}

/** Sends the head to the log tracker and returns it. */
export async function emitHead(tx: Tx, now: Date): Promise<LedgerHead> {
  const head = await ownHead(tx, now)
  await emit(tx, JournalSealed, head, now)
  return head
}
