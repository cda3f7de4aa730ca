import { isoTime } from '@bursar/contracts/iso-time'
import { isUuid } from '@bursar/contracts/schema'
import { mostHits, type SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import { and, type Db, defineList, lt, param } from '@bursar/store'
import { participantOf } from '../accounts/accounts'
import { findTransaction, type TransactionRecord, transactionRows } from '../movements/read-transactions'
import { transactions } from '../movements/transactions.table'
import { keyedPages } from './keyed-pages'
import { isOfParticipant } from './list-filters'
import { askedOf } from './transaction-list'

/** Transactions by id or the beginning of an id, by reference, hash or address, newest first. */
export async function searchTransactions(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  const records = [...(await byId(db, q, participantId)), ...(await byText(db, q, participantId))]
  return records.slice(0, mostHits).map((record) => toHit(record, q))
}

/** The first eight digits of an id determine its time to about a minute. */
const idPattern = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i

async function byId(db: Db, q: string, participantId: string | null): Promise<TransactionRecord[]> {
  if (!idPattern.test(q)) return []
  const start = q.toLowerCase()
  if (!isUuid(start)) return await begunWith.page(db, { start, participantId }, { after: start, limit: mostHits })
  const whole = await findTransaction(db, start)
  return whole && (participantId === null || (await belongsTo(db, whole, participantId))) ? [whole] : []
}

/** Filtered in SQL: transactions of others with the same reference or address must not use up a participant's limit. */
const byText = (db: Db, text: string, participantId: string | null): Promise<TransactionRecord[]> =>
  keyedPages(db, askedOf({ q: text, participantId: participantId ?? undefined }), text).read({
    order: 'desc',
    limit: mostHits,
  })

/** Whether a transaction's account, or its receiver, belongs to the participant. */
async function belongsTo(
  db: Db,
  { accountId, toAccountId }: TransactionRecord,
  participantId: string,
): Promise<boolean> {
  if ((await participantOf(db, accountId)) === participantId) return true
  return toAccountId !== null && (await participantOf(db, toAccountId)) === participantId
}

const words = { DEPOSIT: 'Deposit', WITHDRAWAL: 'Withdrawal', TRANSFER: 'Transfer' }

const toHit = (record: TransactionRecord, q: string): SearchHit => ({
  kind: 'transaction',
  id: record.id,
  title: `${words[record.type]} of ${formatAmount(record.amount, record.asset.decimals)} ${record.asset.code}`,
  detail: fitting(record, q.toLowerCase()),
  status: record.status,
  at: isoTime(record.createdAt),
})

function fitting(record: TransactionRecord, q: string): string {
  const texts = {
    to: record.destinationAddress,
    from: record.sourceAddress,
    hash: record.txHash,
    reference: record.reference,
  }
  const [name, text] = Object.entries(texts).find(([, text]) => text?.toLowerCase().includes(q)) ?? []
  return name === undefined ? '' : `${name} ${text}`
}

const isBegun = lt(transactions.id, param('end'))

/** Finds ids by their beginning: the page starts there. Others' must not use up a participant's limit. */
const begunWith = defineList({
  id: transactions.id,
  rows: transactionRows,
  to: (row): TransactionRecord => row,
  read: ({ start, participantId }: { start: string; participantId: string | null }) => ({
    form: { isOwn: participantId !== null },
    values: { end: `${start}~`, participantId },
  }),
  where: ({ isOwn }, db) => and(isBegun, isOwn ? isOfParticipant(db) : undefined),
  // Within a minute, others may have made very many.
  isSparse: ({ isOwn }) => isOwn,
  along: () => isBegun,
})
