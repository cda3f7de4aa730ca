import { asc, type Db, eq, gt, param, prepared } from '@bursar/store'
import { work } from '../execution/work.table'
import { entriesUntil, type Status, type TransactionType } from '../transactions/states'
import { transactions } from '../transactions/transactions.table'
import { AuditDifference } from './audit-difference'
import { journal } from './journal.table'
import type { EntryKind } from './ledger-accounts'

/** Joined rows in a chunk: a transaction has few entries, so that a chunk always holds whole ones. */
const chunkRows = 300

/**
 * Holds every transaction against the entries that it has posted: those of its status, and no others; and against the
 * queue of work, where those that are APPROVED stand, and no others. Yields the number of transactions after each
 * chunk. Throws AuditDifference at the first that differs.
 */
export async function* auditTransactions(read: Db): AsyncGenerator<number> {
  for (let after = ''; ; ) {
    const rows = await transactionChunk(read).execute({ after, limit: chunkRows })
    const groups = [...Map.groupBy(rows, ({ id }) => id)]
    // The chunk may end within the last one's entries: that one begins the next chunk.
    const whole = rows.length < chunkRows ? groups : groups.slice(0, -1)
    for (const [id, entries] of whole) check(id, entries)
    yield whole.length
    const last = whole.at(-1)
    if (!last || rows.length < chunkRows) return
    after = last[0]
  }
}

interface Row {
  type: TransactionType
  status: Status
  kind: EntryKind | null
  /** Its own id when it stands in the queue of work. */
  queued: string | null
}

function check(id: string, rows: Row[]): void {
  const [first] = rows
  if (!first) return
  const isQueued = first.queued !== null
  if (isQueued !== (first.status === 'APPROVED')) {
    throw new AuditDifference(
      `Transaction ${id} is ${first.status} and ${isQueued ? 'stands' : 'does not stand'} in the queue of work`,
    )
  }
  const expected = entriesUntil(first.type, first.status).sort().join(' and ')
  const posted = rows
    .flatMap(({ kind }) => kind ?? [])
    .sort()
    .join(' and ')
  if (posted === expected) return
  throw new AuditDifference(
    `Transaction ${id} is a ${first.type} ${first.status}, which posts ${expected}; the journal has ${posted || 'nothing'}`,
  )
}

const transactionChunk = prepared((db) =>
  db
    .select({
      id: transactions.id,
      type: transactions.type,
      status: transactions.status,
      kind: journal.kind,
      queued: work.transactionId,
    })
    .from(transactions)
    .leftJoin(journal, eq(journal.transactionId, transactions.id))
    .leftJoin(work, eq(work.transactionId, transactions.id))
    .where(gt(transactions.id, param('after')))
    .orderBy(asc(transactions.id))
    .limit(param('limit')),
)
