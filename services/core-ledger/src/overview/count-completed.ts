import { and, eq, inArray, param, params, prepared, type Tx } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import type { TransactionRecord } from '../transactions/read-transactions'
import type { Posted } from '../transactions/states'
import { dailyTotals, type MovementKind } from './daily-totals.table'
import { dayOf } from './days'
import { holdings } from './holdings.table'

type Completed = Pick<
  TransactionRecord,
  'type' | 'returns' | 'accountId' | 'toAccountId' | 'assetId' | 'network' | 'amount'
>

/** By how much each kind of movement changes what the accounts of a type hold. */
const signs: Record<MovementKind, bigint> = {
  DEPOSIT: 1n,
  WITHDRAWAL: -1n,
  TRANSFER: 0n,
  SENT: -1n,
  RECEIVED: 1n,
  IN: 1n,
  OUT: -1n,
  RETURN: 0n,
}

/** Counts a transaction that became COMPLETED into its day and into what its accounts' types hold, in that commit. */
export async function countCompleted(tx: Tx, transaction: Completed, at: Date): Promise<void> {
  for (const { accountType, kind } of await movementsOf(tx, transaction)) {
    const { assetId, network, amount } = transaction
    const place = { accountType, assetId, network }
    await addToDay(tx, { ...place, day: dayOf(at), kind }, amount)
    if (signs[kind] !== 0n) await addToHoldings(tx, place, signs[kind] * amount)
  }
}

/** The accounts whose own transactions on their chain are entries of kind `execution`. */
export const executingType = 'PORTFOLIO'

/** Counts a movement on a chain that is booked for an account, in the commit that books it. */
export async function countMoved(
  tx: Tx,
  { kind, amount, ...place }: Place & { kind: 'IN' | 'OUT'; amount: bigint },
  at: Date,
): Promise<void> {
  await addToDay(tx, { ...place, day: dayOf(at), kind }, amount)
  await addToHoldings(tx, place, signs[kind] * amount)
}

/** How far a day's movements of one kind have changed what is held. */
export const changeBy = (kind: MovementKind, amount: bigint): bigint => signs[kind] * amount

async function movementsOf(tx: Tx, { accountId, toAccountId, ...of }: Completed): Promise<Movement[]> {
  const known = await typesOf(tx).execute({ accountId, toAccountId: toAccountId ?? accountId })
  const types = new Map(known.map((account) => [account.id, account.type]))
  return kindsOf(of, types.get(accountId) ?? unknownType, types.get(toAccountId ?? accountId) ?? unknownType)
}

interface Movement {
  accountType: string
  kind: MovementKind
}

/** How a transaction counts between accounts of these types. */
export function kindsOf({ type, returns }: Posted, own: string, receiver: string): Movement[] {
  if (returns !== null) return [{ accountType: own, kind: 'RETURN' }]
  if (type !== 'TRANSFER' || own === receiver) return [{ accountType: own, kind: type }]
  return [
    { accountType: own, kind: 'SENT' },
    { accountType: receiver, kind: 'RECEIVED' },
  ]
}

/** A transaction's account is always known here; should its copy be gone, its money is still counted. */
export const unknownType = 'UNKNOWN'

type Day = Pick<typeof dailyTotals.$inferSelect, 'day' | 'accountType' | 'assetId' | 'network' | 'kind'>
type Place = Pick<Day, 'accountType' | 'assetId' | 'network'>

async function addToDay(tx: Tx, day: Day, amount: bigint): Promise<void> {
  const [row] = await totalsOfDay(tx).execute(day)
  await putTotals(tx).execute({ ...day, count: (row?.count ?? 0) + 1, amount: (row?.amount ?? 0n) + amount })
}

async function addToHoldings(tx: Tx, place: Place, amount: bigint): Promise<void> {
  const [row] = await holdingsAt(tx).execute(place)
  await putHoldings(tx).execute({ ...place, amount: (row?.amount ?? 0n) + amount })
}

const typesOf = prepared((db) =>
  db
    .select({ id: accounts.id, type: accounts.type })
    .from(accounts)
    .where(inArray(accounts.id, [param('accountId'), param('toAccountId')])),
)
const totalsOfDay = prepared((db) =>
  db
    .select({ count: dailyTotals.count, amount: dailyTotals.amount })
    .from(dailyTotals)
    .where(
      and(
        eq(dailyTotals.day, param('day')),
        eq(dailyTotals.accountType, param('accountType')),
        eq(dailyTotals.assetId, param('assetId')),
        eq(dailyTotals.network, param('network')),
        eq(dailyTotals.kind, param('kind')),
      ),
    ),
)
const putTotals = prepared((db) =>
  db
    .insert(dailyTotals)
    .values(params(dailyTotals))
    .onConflictDoUpdate({
      target: [dailyTotals.day, dailyTotals.accountType, dailyTotals.assetId, dailyTotals.network, dailyTotals.kind],
      set: { count: param('count'), amount: param('amount') },
    }),
)
const holdingsAt = prepared((db) =>
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
const putHoldings = prepared((db) =>
  db
    .insert(holdings)
    .values(params(holdings))
    .onConflictDoUpdate({
      target: [holdings.accountType, holdings.assetId, holdings.network],
      set: { amount: param('amount') },
    }),
)
