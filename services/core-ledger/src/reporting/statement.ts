import { formatAmount } from '@bursar/money'
import { and, asc, type Db, eq, gt, gte, isNull, nextTurn, or, param, prepared, type SQL } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { fail } from '../errors'
import { journal } from '../ledger/journal.table'
import { transactions } from '../movements/transactions.table'
import { movements } from '../portfolios/movements.table'
import { accountBalances } from './balances'
import type { Statement, StatementLine, StatementQuery } from './statement.model'

/**
 * The most changes of a statement. As many are read since its beginning: later ones are subtracted from the present
 * balances.
 */
export const mostLines = 10_000
export const mostRead = 100_000
const mostDays = 366
const dayMs = 24 * 60 * 60 * 1000
/** Rows read in one turn of the event loop. */
const turn = 500

/** A change of an account's balance, in minor units; negative for what went out. */
export interface Change extends Omit<StatementLine, 'at' | 'amount' | 'balance'> {
  /** Orders changes of the same moment. */
  id: string
  at: Date
  change: bigint
  decimals: number
}

/**
 * An account's statement, to be read in a snapshot. Balances are the present ones minus what was posted since. Fails
 * (400) for an invalid or too long period, and (422) for more changes than it may have.
 */
export async function statementOf(db: Db, account: string, { from, to }: StatementQuery): Promise<Statement> {
  if (from >= to) throw fail('RANGE_INVALID', { message: 'from must be before to' })
  if (to.getTime() - from.getTime() > mostDays * dayMs) {
    throw fail('RANGE_INVALID', { message: `A statement covers at most ${mostDays} days` })
  }
  const accountId = account.toLowerCase()
  const since = await changesSince(db, accountId, from)
  const within = since.filter(({ at }) => at < to)
  if (within.length > mostLines) throw fail('STATEMENT_TOO_LONG')
  const sheets = await sheetsOf(db, accountId, since, to)
  return {
    accountId,
    from: from.toISOString(),
    to: to.toISOString(),
    lines: within.map((change) => lineOf(change, sheets)),
    balances: [...sheets.values()].map(({ decimals, opening, came, went, assetId, assetCode, network }) => ({
      assetId,
      assetCode,
      network,
      opening: formatAmount(opening, decimals),
      in: formatAmount(came, decimals),
      out: formatAmount(went, decimals),
      closing: formatAmount(opening + came - went, decimals),
    })),
  }
}

interface Sheet extends Pick<Change, 'assetId' | 'assetCode' | 'network' | 'decimals'> {
  opening: bigint
  came: bigint
  went: bigint
  /** The balance after the last line that was written. */
  running: bigint
}

/** The sheets of every asset that the account holds, by id in the order of codes. */
async function sheetsOf(
  db: Db,
  accountId: string,
  since: readonly Change[],
  to: Date,
): Promise<ReadonlyMap<string, Sheet>> {
  const held = await accountBalances(db, accountId)
  const sheets = held
    .toSorted((one, other) => (one.code < other.code ? -1 : 1))
    .map(({ assetId, code, network, decimals, available, frozen }) => {
      const own = since.filter((change) => change.assetId === assetId)
      const opening = available + frozen - own.reduce((sum, { change }) => sum + change, 0n)
      const within = own.filter(({ at }) => at < to).map(({ change }) => change)
      const came = within.reduce((sum, change) => (change > 0n ? sum + change : sum), 0n)
      const went = within.reduce((sum, change) => (change < 0n ? sum - change : sum), 0n)
      return { assetId, assetCode: code, network, decimals, opening, came, went, running: opening }
    })
  return new Map(sheets.map((sheet) => [sheet.assetId, sheet]))
}

function lineOf({ id: _, at, change, decimals, ...rest }: Change, sheets: ReadonlyMap<string, Sheet>): StatementLine {
  const sheet = sheets.get(rest.assetId)
  // Every change leaves a balance row.
  if (!sheet) throw new Error(`Account without a balance of ${rest.assetId}`)
  sheet.running += change
  return {
    ...rest,
    at: at.toISOString(),
    amount: formatAmount(change, decimals),
    balance: formatAmount(sheet.running, decimals),
  }
}

/** The changes of an account's balances from `from` on, oldest first. Fails (422) for more than `most`. */
export async function changesSince(db: Db, accountId: string, from: Date, most = mostRead): Promise<Change[]> {
  const all: Change[] = []
  for (const source of [paidOrCredited, received, moved]) {
    let place: { at: Date; id: string } = { at: from, id: '' }
    for (let rows = await source(db, { accountId, ...place }); ; rows = await source(db, { accountId, ...place })) {
      all.push(...rows)
      if (all.length > most) throw fail('STATEMENT_TOO_LONG')
      const last = rows.at(-1)
      if (!last || rows.length < turn) break
      place = last
      await nextTurn()
    }
  }
  return all.sort((one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1))
}

interface Place {
  accountId: string
  at: Date
  id: string
}

/** Its own transactions: deposits, withdrawals, transfers out. A return pays from suspense, not from the account. */
async function paidOrCredited(db: Db, place: Place): Promise<Change[]> {
  const rows = await executedOf(db).execute({ ...place, limit: turn })
  return rows.map(({ transaction: of, ...asset }) => ({
    ...transactionFields(of, asset),
    kind: of.type === 'TRANSFER' ? 'TRANSFER_OUT' : of.type,
    change: of.type === 'DEPOSIT' ? of.amount : -of.amount,
    counterparty:
      of.type === 'TRANSFER' ? of.toAccountId : of.type === 'DEPOSIT' ? of.sourceAddress : of.destinationAddress,
  }))
}

async function received(db: Db, place: Place): Promise<Change[]> {
  const rows = await receivedBy(db).execute({ ...place, limit: turn })
  return rows.map(({ transaction: of, ...asset }) => ({
    ...transactionFields(of, asset),
    kind: 'TRANSFER_IN',
    change: of.amount,
    counterparty: of.accountId,
  }))
}

/** Movements at its addresses besides its transactions. A portfolio pays its network fees; others' are the platform's. */
async function moved(db: Db, place: Place): Promise<Change[]> {
  const rows = await bookedOf(db).execute({ ...place, limit: turn })
  return rows.map(({ movement: of, code, decimals, network }) => ({
    id: of.id,
    at: of.bookedAt ?? of.confirmedAt,
    kind: of.kind === 'in' ? 'MOVEMENT_IN' : 'MOVEMENT_OUT',
    transactionId: null,
    assetId: of.assetId ?? '',
    assetCode: code,
    network,
    decimals,
    change: of.kind === 'in' ? of.amount : -of.amount,
    counterparty: of.counterparty,
    reference: null,
    txHash: of.txHash,
  }))
}

const transactionFields = (
  of: typeof transactions.$inferSelect,
  { code, ...asset }: { code: string; decimals: number; network: string },
) => ({
  id: of.id,
  at: of.executedAt ?? of.updatedAt,
  transactionId: of.id,
  assetId: of.assetId,
  assetCode: code,
  ...asset,
  reference: of.reference,
  txHash: of.txHash,
})

type TimeColumn = typeof transactions.executedAt | typeof movements.bookedAt
type IdColumn = typeof transactions.id | typeof movements.id
const isAfter = (time: TimeColumn, id: IdColumn) =>
  and(gte(time, param('at')), or(gt(time, param('at')), gt(id, param('id'))))

const ofAsset = { code: assets.code, decimals: assets.decimals, network: assets.network }
const executed = (isOf: SQL | undefined) =>
  prepared((db) =>
    db
      .select({ transaction: transactions, ...ofAsset })
      .from(transactions)
      .innerJoin(assets, eq(assets.id, transactions.assetId))
      .where(and(isOf, isAfter(transactions.executedAt, transactions.id)))
      .orderBy(asc(transactions.executedAt), asc(transactions.id))
      .limit(param('limit')),
  )
const executedOf = executed(and(eq(transactions.accountId, param('accountId')), isNull(transactions.returns)))
const receivedBy = executed(eq(transactions.toAccountId, param('accountId')))
const bookedOf = prepared((db) =>
  db
    .select({ movement: movements, ...ofAsset })
    .from(movements)
    .innerJoin(assets, eq(assets.id, movements.assetId))
    // A fee that the platform pays has another entry, and changes no balance of the account.
    .innerJoin(journal, and(eq(journal.transactionId, movements.id), eq(journal.kind, 'execution')))
    .where(and(eq(movements.accountId, param('accountId')), isAfter(movements.bookedAt, movements.id)))
    .orderBy(asc(movements.bookedAt), asc(movements.id))
    .limit(param('limit')),
)
