import type { LedgerHead } from '@bursar/contracts/ledger-seals'
import { type Db, desc, lt, param, params, prepared, rowBy, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { ledgerHeads } from './ledger-heads.table'

type LedgerHeadRow = typeof ledgerHeads.$inferSelect

/**
 * Stores a head when it is further than the stored one of its books; a head is never replaced by one of the same
 * length. Returns false when the stored head of the same length has another hash: one of the two journals was
 * rewritten.
 */
export async function keepHead(tx: Tx, head: LedgerHead): Promise<boolean> {
  await upsertHead(tx).execute({ ...head, sealedAt: new Date(head.sealedAt) })
  const known = await headOfBooks(tx, head.books)
  return known?.number !== head.number || known.hash === head.hash
}

/**
 * The head of the books in use: those first seen most recently, regardless of clocks and late events.
 * Fails (404) when no head was ever received.
 */
export async function newestHead(db: Db): Promise<LedgerHeadRow> {
  const [row] = await newestBooks(db).execute()
  if (!row) throw fail('NOT_FOUND', { message: 'No sealed head of the ledger was received yet' })
  return row
}

export const toLedgerHead = ({ seq, sealedAt, ...head }: LedgerHeadRow): LedgerHead => ({
  v: 1,
  ...head,
  sealedAt: sealedAt.toISOString(),
})

const upsertHead = prepared((db) =>
  db
    .insert(ledgerHeads)
    .values(params(ledgerHeads))
    .onConflictDoUpdate({
      target: ledgerHeads.books,
      set: {
        number: param('number'),
        lastSeq: param('lastSeq'),
        hash: param('hash'),
        sealedAt: param('sealedAt'),
      },
      setWhere: lt(ledgerHeads.number, param('number')),
    }),
)
const headOfBooks = rowBy(ledgerHeads, 'books')
const newestBooks = prepared((db) => db.select().from(ledgerHeads).orderBy(desc(ledgerHeads.seq)).limit(1))
