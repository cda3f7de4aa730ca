// The sums of the overview, and the balances outside the books, follow the journal, so that commits that move money do
// not all write the same rows. Readers add the entries that are not folded yet.
import type { Log } from '@bursar/contracts/log'
import {
  and,
  asc,
  type Db,
  eq,
  every,
  follower,
  gte,
  inArray,
  lte,
  type OpenStore,
  param,
  prepared,
  type Ranges,
  type Store,
  sizeOf,
  sql,
  type Tx,
  together,
  upsertInto,
  type Worker,
} from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import type { systemBalances } from '../ledger/balances.table'
import { journal } from '../ledger/journal.table'
import { putSystemBalance, systemBalanceOf } from '../ledger/post'
import { summedEntries } from '../ledger/sealed-rows'
import { transactions } from '../movements/transactions.table'
import { movements } from '../portfolios/movements.table'
import { addUp, type Changes, type CountedEntry, changesOf, countedKinds, noSums, type Sums } from './sum-changes'
import { dailyTotals, holdings } from './sums.table'

const everyMs = 1000
/** Entries that one commit folds: reading them must not hold the event loop. */
const entriesPerCommit = 500

export const unsummedEntries = follower(summedEntries, { entries: { number: journal.seq } })

/** The changes by entries that are not folded yet; to be read in one snapshot with the sums. */
export const unfolded = async (db: Db): Promise<Changes> =>
  changesOf(await countedIn(db, (await unsummedEntries.waiting(db)).entries))

async function countedIn(db: Db, ranges: Ranges): Promise<CountedEntry[]> {
  // In one round trip: several instances leave many short ranges.
  const found = await together(...ranges.map(([from, to]) => countedEntries(db).execute({ from, to })))
  return found.flat()
}

/** Folds the next entries into the sums, in one commit; returns their number. */
export async function foldNext(store: Store, most = entriesPerCommit): Promise<number> {
  if ((await unsummedEntries.oldest(store.read)) === null) return 0
  const body = async (tx: Tx) => {
    const { entries } = await unsummedEntries.take(tx, most)
    const sums = noSums()
    addUp(sums, changesOf(await countedIn(tx, entries)))
    await addSums(tx, sums)
    return sizeOf(entries)
  }
  return await store.commit(body, undefined, { isMadeUpFor: true })
}

export async function foldAll(store: Store): Promise<void> {
  while ((await foldNext(store)) > 0);
}

export const folding = ({ store, log }: { store: OpenStore; log: Log }): Worker =>
  every(everyMs, foldAll, { log, name: 'The folding of the journal', alone: store })

async function addSums(tx: Tx, { totals, holdings: held, outside }: Sums): Promise<void> {
  await together(
    ...Array.from(totals.values(), (one) => addTotal(tx, one)),
    ...Array.from(held.values(), (one) => addHeld(tx, one)),
    ...Array.from(outside.values(), (one) => addOutside(tx, one)),
  )
}

async function addTotal(tx: Tx, total: typeof dailyTotals.$inferSelect): Promise<void> {
  const [row] = await totalAt(tx).execute(total)
  const [count, amount] = [total.count + (row?.count ?? 0), total.amount + (row?.amount ?? 0n)]
  await putTotal(tx).execute({ ...total, count, amount })
}

async function addHeld(tx: Tx, one: typeof holdings.$inferSelect): Promise<void> {
  const [row] = await heldAt(tx).execute(one)
  await putHeld(tx).execute({ ...one, amount: one.amount + (row?.amount ?? 0n) })
}

async function addOutside(tx: Tx, one: typeof systemBalances.$inferSelect): Promise<void> {
  const [row] = await systemBalanceOf(tx).execute(one)
  await putSystemBalance(tx).execute({ ...one, amount: one.amount + (row?.amount ?? 0n) })
}

type AccountColumn = typeof transactions.accountId | typeof transactions.toAccountId | typeof movements.accountId
const typeOf = (account: AccountColumn) =>
  sql<string | null>`(select ${accounts.type} from ${accounts} where ${accounts.id} = ${account})`
export const accountTypes = {
  movementType: typeOf(movements.accountId),
  ownType: typeOf(transactions.accountId),
  receiverType: typeOf(transactions.toAccountId),
}
const countedEntries = prepared((db) =>
  db
    .select({
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
      and(gte(journal.seq, param('from')), lte(journal.seq, param('to')), inArray(journal.kind, [...countedKinds])),
    )
    .orderBy(asc(journal.seq)),
) as (db: Db) => { execute(values: Record<string, number>): Promise<CountedEntry[]> }
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
const putTotal = upsertInto(dailyTotals, ['day', 'accountType', 'assetId', 'network', 'kind'], ['count', 'amount'])
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
const putHeld = upsertInto(holdings, ['accountType', 'assetId', 'network'], ['amount'])
