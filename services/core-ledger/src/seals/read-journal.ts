import { and, asc, type Db, desc, eq, getTableColumns, gt, lte, param, prepared, rowBy, sizeOf } from '@bursar/store'
import { journal } from '../ledger/journal.table'
import { transactions } from '../movements/transactions.table'
import { movements } from '../portfolios/movements.table'
import type { Seal } from './block-hash'
import { type SealedEntry, sealedColumns } from './sealed-entry'
import { seals } from './seals.table'
import { unsealedRows } from './unsealed-rows'

/** Rows per chunk when the whole journal is read; about a millisecond's work. */
export const chunkRows = 250

/**
 * One chunk of the entries after `seq` up to and including `upTo`, in order, with the sealed fields of their
 * transactions.
 */
export const entriesBetween = (read: Db, seq: number, upTo: number, limit = chunkRows): Promise<SealedEntry[]> =>
  entryChunk(read).execute({ seq, upTo, limit }) as Promise<SealedEntry[]>

export const sealAfter = async (read: Db, number: number): Promise<Seal | undefined> =>
  (await nextSeal(read).execute({ number }))[0]

export const lastSeal = async (read: Db): Promise<Seal | undefined> => (await newestSeal(read).execute())[0]

export const sealAt = rowBy(seals, 'number')

/** Entries that are not sealed yet. */
export const unsealed = async (read: Db): Promise<number> => sizeOf((await unsealedRows.waiting(read)).entries)

const entryChunk = prepared((db) =>
  db
    .select({ ...getTableColumns(journal), ...sealedColumns })
    .from(journal)
    .leftJoin(transactions, eq(transactions.id, journal.transactionId))
    .leftJoin(movements, eq(movements.id, journal.transactionId))
    .where(and(gt(journal.seq, param('seq')), lte(journal.seq, param('upTo'))))
    .orderBy(asc(journal.seq))
    .limit(param('limit')),
)
const nextSeal = prepared((db) =>
  db
    .select()
    .from(seals)
    .where(gt(seals.number, param('number')))
    .orderBy(asc(seals.number))
    .limit(1),
)
const newestSeal = prepared((db) => db.select().from(seals).orderBy(desc(seals.number)).limit(1))
