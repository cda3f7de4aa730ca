import { isoTime } from '@bursar/contracts/iso-time'
import { mostHits, type SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import { and, asc, type Db, eq, gte, lt, param, prepared } from '@bursar/store'
import { participantOf } from '../accounts/accounts'
import { assets } from '../assets/assets.table'
import { type TransactionRecord, transactionRecord } from '../movements/read-transactions'
import { transactions } from '../movements/transactions.table'
import { keyedPages } from './keyed-pages'
import { askedOf } from './transaction-list'

/** How many of the newest matches are searched for those of one participant. */
const mostOfText = 100

/** Transactions by id or the beginning of an id, by reference, hash or address, newest first. */
export async function searchTransactions(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  const records = [...(await byId(db, q)), ...(await byText(db, q, participantId === null ? mostHits : mostOfText))]
  const hits: SearchHit[] = []
  for (const record of records) {
    if (hits.length === mostHits) break
    if (participantId === null || (await belongsTo(db, record, participantId))) hits.push(toHit(record, q))
  }
  return hits
}

/** The first eight digits of an id determine its time to about a minute. */
const idPattern = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i

async function byId(db: Db, q: string): Promise<TransactionRecord[]> {
  if (!idPattern.test(q)) return []
  const from = q.toLowerCase()
  return await idsFrom(db).execute({ from, until: `${from}~`, limit: mostHits })
}

const byText = (db: Db, text: string, limit: number): Promise<TransactionRecord[]> =>
  keyedPages(db, askedOf({ q: text }), text).read({ order: 'desc', limit })

/** It is of an account of the participant, or goes to one. */
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

const idsFrom = prepared((db) =>
  db
    .select(transactionRecord)
    .from(transactions)
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .where(and(gte(transactions.id, param('from')), lt(transactions.id, param('until'))))
    .orderBy(asc(transactions.id))
    .limit(param('limit')),
)
