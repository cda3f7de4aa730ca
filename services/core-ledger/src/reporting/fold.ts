// The sums of the overview, and the balances outside the books, follow the journal, so that commits that move money do
// not all write the same rows. Readers add the entries that are not folded yet.
import type { Log } from '@bursar/contracts/log'
import {
  and,
  asc,
  type Db,
  eq,
  every,
  gt,
  inArray,
  lte,
  metaValue,
  param,
  params,
  prepared,
  putMetaValue,
  type Store,
  sql,
  type Tx,
  type Worker,
} from '@bursar/store'
import { meta } from '@bursar/store/schema'
import { accounts } from '../accounts/accounts.table'
import { systemBalances } from '../ledger/balances.table'
import { journal } from '../ledger/journal.table'
import { journalHead } from '../ledger/journal-head'
import { transactions } from '../movements/transactions.table'
import { movements } from '../portfolios/movements.table'
import { addUp, type Changes, type CountedEntry, changesOf, countedKinds, noSums, type Sums } from './changes'
import { dailyTotals } from './daily-totals.table'
import { holdings } from './holdings.table'

const everyMs = 1000
const entriesPerCommit = 500
/** Entries that one commit passes: most may change no sum, as holds do, and reading on must not hold the event loop. */
const entriesPassed = 2000
/** The key in `meta` of the last folded entry. */
export const placeName = 'folded_seq'

/** The same as SQL, for statements that must read it in the same snapshot as the sums. */
export const foldedSeq =
  sql<number>`coalesce((select cast(${meta.value} as integer) from ${meta} where ${meta.key} = 'folded_seq'), 0)`.mapWith(
    Number,
  )

/** The number of the last folded entry. */
export const foldedUntil = async (db: Db): Promise<number> => Number((await metaValue(db, placeName)) ?? 0)

/** The changes by entries that are not folded yet; to be read in one snapshot with the sums. */
export async function unfolded(db: Db): Promise<Changes> {
  const after = await foldedUntil(db)
  const values = { after, upTo: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER }
  return changesOf(await countedEntries(db).execute(values))
}

/**
 * Folds the next entries into the sums in one commit, up to a limit of entries that change one, and of entries; returns
 * their number.
 */
export async function foldNext(store: Store, most = entriesPerCommit, mostPassed = entriesPassed): Promise<number> {
  const [after, head] = [await foldedUntil(store.read), await journalHead(store.read)]
  if (head <= after) return 0
  const upTo = Math.min(head, after + mostPassed)
  const entries = await countedEntries(store.read).execute({ after, upTo, limit: most })
  const until = entries.length < most ? upTo : (entries.at(-1)?.seq ?? upTo)
  const sums = noSums()
  addUp(sums, changesOf(entries))
  const body = async (tx: Tx) => {
    // Another process has already folded them.
    if ((await foldedUntil(tx)) !== after) return
    await addSums(tx, sums)
    await putMetaValue(tx, placeName, String(until))
  }
  await store.commit(body, undefined, { isMadeUpFor: true })
  return until - after
}

/** Folds all entries. */
export async function foldAll(store: Store): Promise<void> {
  while ((await foldNext(store)) > 0);
}

/** Follows the journal, every second. */
export const folding = ({ store, log }: { store: Store; log: Log }): Worker =>
  every(everyMs, () => foldAll(store), { log, name: 'The folding of the journal' })

async function addSums(tx: Tx, { totals, holdings: held, outside }: Sums): Promise<void> {
  for (const total of totals.values()) {
    const [row] = await totalAt(tx).execute(total)
    const [count, amount] = [total.count + (row?.count ?? 0), total.amount + (row?.amount ?? 0n)]
    await putTotal(tx).execute({ ...total, count, amount })
  }
  for (const one of held.values()) {
    const [row] = await heldAt(tx).execute(one)
    await putHeld(tx).execute({ ...one, amount: one.amount + (row?.amount ?? 0n) })
  }
  for (const one of outside.values()) {
    const [row] = await outsideAt(tx).execute(one)
    await putOutside(tx).execute({ ...one, amount: one.amount + (row?.amount ?? 0n) })
  }
}

type AccountColumn = typeof transactions.accountId | typeof transactions.toAccountId | typeof movements.accountId
const typeOf = (account: AccountColumn) =>
  sql<string | null>`(select ${accounts.type} from ${accounts} where ${accounts.id} = ${account})`
/** The types of the accounts of an entry's transaction or movement. */
export const accountTypes = {
  movementType: typeOf(movements.accountId),
  ownType: typeOf(transactions.accountId),
  receiverType: typeOf(transactions.toAccountId),
}
const countedEntries = prepared((db) =>
  db
    .select({
      seq: journal.seq,
      kind: journal.kind,
      assetId: journal.assetId,
      debit: journal.debit,
      credit: journal.credit,
      amount: journal.amount,
      createdAt: journal.createdAt,
      transaction: { type: transactions.type, returns: transactions.returns, network: transactions.network },
      movement: { kind: movements.kind, network: movements.network },
      ...accountTypes,
    })
    .from(journal)
    .leftJoin(transactions, eq(transactions.id, journal.transactionId))
    .leftJoin(movements, eq(movements.id, journal.transactionId))
    .where(
      and(gt(journal.seq, param('after')), lte(journal.seq, param('upTo')), inArray(journal.kind, [...countedKinds])),
    )
    .orderBy(asc(journal.seq))
    .limit(param('limit')),
) as (db: Db) => { execute(values: Record<string, number>): Promise<(CountedEntry & { seq: number })[]> }
const isDay = and(
  eq(dailyTotals.day, param('day')),
  eq(dailyTotals.accountType, param('accountType')),
  eq(dailyTotals.assetId, param('assetId')),
  eq(dailyTotals.network, param('network')),
  eq(dailyTotals.kind, param('kind')),
)
const totalAt = prepared((db) =>
  db.select({ count: dailyTotals.count, amount: dailyTotals.amount }).from(dailyTotals).where(isDay),
)
const putTotal = prepared((db) =>
  db
    .insert(dailyTotals)
    .values(params(dailyTotals))
    .onConflictDoUpdate({
      target: [dailyTotals.day, dailyTotals.accountType, dailyTotals.assetId, dailyTotals.network, dailyTotals.kind],
      set: { count: param('count'), amount: param('amount') },
    }),
)
const heldAt = prepared((db) =>
  db
    .select({ amount: holdings.amount })
    .from(holdings)
    .where(
      and(
        eq(holdings.accountType, param('accountType')),
        eq(holdings.assetId, param('assetId')),
        eq(holdings.network, param('network')),
      ),
    ),
)
const putHeld = prepared((db) =>
  db
    .insert(holdings)
    .values(params(holdings))
    .onConflictDoUpdate({
      target: [holdings.accountType, holdings.assetId, holdings.network],
      set: { amount: param('amount') },
    }),
)
const outsideAt = prepared((db) =>
  db
    .select({ amount: systemBalances.amount })
    .from(systemBalances)
    .where(and(eq(systemBalances.name, param('name')), eq(systemBalances.assetId, param('assetId')))),
)
const putOutside = prepared((db) =>
  db
    .insert(systemBalances)
    .values(params(systemBalances))
    .onConflictDoUpdate({ target: [systemBalances.name, systemBalances.assetId], set: { amount: param('amount') } }),
)
