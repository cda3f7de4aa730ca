import { and, asc, type Db, desc, eq, gt, lte, param, prepared } from '@bursar/store'
import { transactions } from '../transactions/transactions.table'
import type { Entry } from './block-hash'
import { journal } from './journal.table'
import type { Movable } from './ledger-accounts'
import { seals } from './seals.table'

/** Rows that are read at once by what goes through the whole journal; about a millisecond's work. */
export const chunkRows = 250

/** The entries after `seq` up to and with `upTo`, in order, one chunk of them. */
export const entriesBetween = (read: Db, seq: number, upTo: number): Promise<Entry[]> =>
  entryChunk(read).execute({ seq, upTo, limit: chunkRows })

/** An entry with its transaction; null where that is missing. */
export interface EntryOfTransaction extends Entry {
  transaction: (Movable & { assetId: string; amount: bigint }) | null
}

/** The same with the transactions that they belong to. */
export const entriesWithTransactions = (read: Db, seq: number, upTo: number): Promise<EntryOfTransaction[]> =>
  entryChunkWithTransactions(read).execute({ seq, upTo, limit: chunkRows }) as Promise<EntryOfTransaction[]>

export type Seal = typeof seals.$inferSelect

/** The seal that follows the one whose last entry is `lastSeq`. */
export async function sealAfter(read: Db, lastSeq: number): Promise<Seal | undefined> {
  const [seal] = await nextSeal(read).execute({ lastSeq })
  return seal
}

/** The newest seal. */
export async function lastSeal(read: Db): Promise<Seal | undefined> {
  const [seal] = await newestSeal(read).execute()
  return seal
}

/** The newest entry's number; 0 for an empty journal. */
export async function journalHead(read: Db): Promise<number> {
  const [entry] = await newestEntry(read).execute()
  return entry?.seq ?? 0
}

const range = and(gt(journal.seq, param('seq')), lte(journal.seq, param('upTo')))
const entryChunk = prepared((db) =>
  db.select().from(journal).where(range).orderBy(asc(journal.seq)).limit(param('limit')),
)
const entryChunkWithTransactions = prepared((db) =>
  db
    .select({
      seq: journal.seq,
      transactionId: journal.transactionId,
      kind: journal.kind,
      assetId: journal.assetId,
      debit: journal.debit,
      credit: journal.credit,
      amount: journal.amount,
      createdAt: journal.createdAt,
      transaction: {
        type: transactions.type,
        accountId: transactions.accountId,
        toAccountId: transactions.toAccountId,
        network: transactions.network,
        assetId: transactions.assetId,
        amount: transactions.amount,
      },
    })
    .from(journal)
    .leftJoin(transactions, eq(transactions.id, journal.transactionId))
    .where(range)
    .orderBy(asc(journal.seq))
    .limit(param('limit')),
)
const nextSeal = prepared((db) =>
  db
    .select()
    .from(seals)
    .where(gt(seals.lastSeq, param('lastSeq')))
    .orderBy(asc(seals.lastSeq))
    .limit(1),
)
const newestSeal = prepared((db) => db.select().from(seals).orderBy(desc(seals.lastSeq)).limit(1))
const newestEntry = prepared((db) => db.select({ seq: journal.seq }).from(journal).orderBy(desc(journal.seq)).limit(1))
