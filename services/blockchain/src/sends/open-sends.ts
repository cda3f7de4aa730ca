import { formatAmount } from '@bursar/money'
import {
  and,
  asc,
  count,
  type Db,
  defineList,
  eq,
  inArray,
  isNotNull,
  like,
  min,
  param,
  prepared,
  queryAmong,
  unindexed,
} from '@bursar/store'
import { fail } from '../errors'
import { claimPattern, missingPattern, refusedPattern } from '../networks/held-transaction'
import { findSend } from './sends'
import type { Send, SendDetail, SendQuery } from './sends.model'
import { attempts, type SendRow, sends } from './sends.table'

/** Open sends, oldest first by default. */
export async function openSends(db: Db, query: SendQuery): Promise<Send[]> {
  const rows = await openSendList.page(db, query, query)
  const ids = rows.map(({ id }) => id)
  const counted = await attemptsOf(db, ids)
  const attemptsBy = new Map(counted.map((each) => [each.id, each.attempts]))
  return rows.map((row) => toSend(row, attemptsBy.get(row.id) ?? 0))
}

/** A send with its signed transactions. Fails with 404 when there is none of this id. */
export async function sendDetail(db: Db, id: string): Promise<SendDetail> {
  const row = await findSend(db, id)
  if (!row) throw fail('NOT_FOUND', { message: `There is no send ${id}` })
  const signed = await allAttempts(db).execute({ id })
  const transactions = signed.map(({ txHash, createdAt, lostAt }) => ({
    txHash,
    createdAt: createdAt.toISOString(),
    lostAt: lostAt?.toISOString() ?? null,
  }))
  return { ...toSend(row, transactions.length), transactions }
}

/**
 * The health sentence about sends that wait because nodes refuse a signed transaction, or because nobody has sent what
 * comes before one, or because a node claims a nonce that is not believed; null for none.
 */
export async function heldSends(db: Db): Promise<string | null> {
  for (const { held, what } of reasons) {
    const [found] = await held(db).execute({})
    if (found?.sends) return `${found.sends} sends wait for ${what} (GET /v1/sends): ${found.reason}`
  }
  return null
}

const toSend = (row: SendRow, attempts: number): Send => ({
  id: row.id,
  network: row.network,
  from: row.fromAddress,
  to: row.toAddress,
  contractAddress: row.contractAddress,
  amount: formatAmount(row.amount, row.decimals),
  status: row.status,
  txHash: row.txHash,
  nonce: row.nonce,
  reason: row.reason,
  attempts,
  failures: row.failures,
  lastError: row.lastError,
  nextAttemptAt: row.dueAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const isOpen = isNotNull(sends.dueAt)

/** The sends that have not ended, by age. */
export const openSendList = defineList({
  id: sends.id,
  rows: (db) => db.select().from(sends),
  to: (row): SendRow => row,
  read: ({ network }: Pick<SendQuery, 'network'>) => ({
    form: { ofNetwork: network !== undefined },
    values: { network: network?.toLowerCase() },
  }),
  // The `+` keeps the database from the index of a network's: of these there are few.
  where: ({ ofNetwork }) => and(isOpen, ofNetwork ? eq(unindexed(sends.network), param('network')) : undefined),
  along: () => isOpen,
  countsAll: true,
})

const heldBy = (pattern: string) =>
  prepared((db) =>
    db
      .select({ sends: count(), reason: min(sends.lastError) })
      .from(sends)
      .where(and(isOpen, like(sends.lastError, pattern))),
  )
const reasons = [
  { held: heldBy(refusedPattern), what: 'a transaction that was signed and is refused' },
  { held: heldBy(missingPattern), what: 'what must be sent before them' },
  { held: heldBy(claimPattern), what: 'a node that claims another nonce' },
]
const attemptsOf = queryAmong(
  (ids) => (db) =>
    db
      .select({ id: attempts.sendId, attempts: count() })
      .from(attempts)
      .where(inArray(attempts.sendId, ids))
      .groupBy(attempts.sendId),
)
const allAttempts = prepared((db) =>
  db
    .select({ txHash: attempts.txHash, createdAt: attempts.createdAt, lostAt: attempts.lostAt })
    .from(attempts)
    .where(eq(attempts.sendId, param('id')))
    .orderBy(asc(attempts.seq))
    .limit(100),
)
