import {
  and,
  eq,
  inArray,
  insertKeyed,
  param,
  prepared,
  putAll,
  queryAmong,
  type Tx,
  together,
  upsertInto,
} from '@bursar/store'
import { balances, systemBalances } from './balances.table'
import { journal } from './journal.table'
import {
  type EntryKind,
  type LedgerAccount,
  type Movable,
  type Moved,
  type MovementEntryKind,
  partsOf,
  sidesOf,
  sidesOfMovement,
  type TransactionEntryKind,
} from './ledger-accounts'
import { indexedEntries, sealedRows, summedEntries } from './sealed-rows'

/** What an entry moves: the whole amount of a transaction, once per kind of entry. */
export interface Posting extends Movable {
  id: string
  assetId: string
  /** Above 0, in minor units. */
  amount: bigint
}

export interface Holding {
  available: bigint
  frozen: bigint
}

export type Balance = typeof balances.$inferSelect

/**
 * A balance would become negative: insufficient balance. Checked before every entry; callers check first where a
 * request can cause it.
 */
export class OverdrawnError extends Error {
  override name = 'OverdrawnError'
}

export interface Entry {
  kind: TransactionEntryKind
  of: Posting
}

/**
 * Adds entries to the journal, one after another, and updates the balances of their accounts, in the caller's commit.
 * Throws OverdrawnError: the commit must then be rolled back. `known`: balances that the caller has read in this commit.
 */
export async function postAll(
  tx: Tx,
  entries: readonly Entry[],
  at: Date,
  known: readonly Balance[] = [],
): Promise<void> {
  const rows = entries.map(({ kind, of }) => {
    if (of.amount <= 0n) throw new Error(`An entry of ${of.amount} for transaction ${of.id}`)
    return rowOf(kind, of, sidesOf[kind](of), at)
  })
  await addRows(tx, rows, known)
}

/**
 * What an entry of a chain movement moves. Posted only once: the id is derived from the movement's place on the chain.
 */
export interface MovementPosting extends Moved {
  id: string
  assetId: string
  /** Above 0, in minor units. */
  amount: bigint
}

/** Posts an entry of a chain movement without a ledger transaction. */
export async function postMovement(tx: Tx, kind: MovementEntryKind, of: MovementPosting, at: Date): Promise<void> {
  const sides = sidesOfMovement(kind, of)
  if (!sides || of.amount <= 0n) throw new Error(`An entry ${kind} of ${of.amount} for movement ${of.id}`)
  await addRows(tx, [rowOf(kind, of, sides, at)])
}

/** An account's balance of an asset; zero when there is no row. */
export async function holdingOf(tx: Tx, accountId: string, assetId: string): Promise<Holding> {
  const [row] = await balancesByAccount(tx, [accountId], { assetId })
  return row ?? { available: 0n, frozen: 0n }
}

type Row = Omit<typeof journal.$inferSelect, 'seq'>

const rowOf = (
  kind: EntryKind,
  { id, assetId, amount }: Pick<Posting, 'id' | 'assetId' | 'amount'>,
  sides: Pick<Row, 'debit' | 'credit'>,
  createdAt: Date,
): Row => ({ transactionId: id, kind, assetId, ...sides, amount, createdAt })

/** Each balance is read and written once, and checked after each entry. */
async function addRows(tx: Tx, rows: readonly Row[], known: readonly Balance[] = []): Promise<void> {
  const changes = rows.flatMap(changesOf)
  await together(
    addEntries(tx, rows),
    changeHoldings(tx, changes.filter(isHolding), known),
    changeSystem(tx, changes.filter(isSystem)),
  )
}

async function addEntries(tx: Tx, rows: readonly Row[]): Promise<void> {
  const numbers = await insertEntries(tx, rows)
  sealedRows.note(tx, 'entries', numbers)
  indexedEntries.note(tx, 'entries', numbers)
  summedEntries.note(tx, 'entries', numbers)
}

/** The change of one part of an account. */
interface Change extends ReturnType<typeof partsOf> {
  account: LedgerAccount
  assetId: string
  by: bigint
}

/** The debit comes last, so that the message about an overdrawn account includes the whole entry. */
const changesOf = ({ debit, credit, assetId, amount }: Row): Change[] => [
  changeOf(credit, assetId, amount),
  changeOf(debit, assetId, -amount),
]

const changeOf = (account: LedgerAccount, assetId: string, by: bigint): Change => ({
  ...partsOf(account),
  account,
  assetId,
  by,
})

const isHolding = ({ part }: Change): boolean => part === 'available' || part === 'frozen'
/** Deposits in suspense, and returns. */
const isSystem = ({ part }: Change): boolean => part === 'suspense' || part === 'returning'

async function changeHoldings(tx: Tx, changes: readonly Change[], known: readonly Balance[]): Promise<void> {
  const before = new Map(known.map((balance) => [placeOf(balance.accountId, balance.assetId), balance]))
  const unknown = changes.filter(({ of, assetId }) => !before.has(placeOf(of, assetId)))
  if (unknown.length > 0) await readBalances(tx, unknown, before)
  const after = new Map<string, Balance>()
  for (const change of changes) applyTo(after, before, change)
  await putBalances(tx, [...after.values()])
}

async function readBalances(tx: Tx, changes: readonly Change[], into: Map<string, Balance>): Promise<void> {
  for (const [assetId, some] of Map.groupBy(changes, (change) => change.assetId)) {
    const ids = new Set(some.map(({ of }) => of))
    for (const balance of await balancesByAccount(tx, [...ids], { assetId }))
      into.set(placeOf(balance.accountId, assetId), balance)
  }
}

function applyTo(
  after: Map<string, Balance>,
  before: ReadonlyMap<string, Balance>,
  { part, of: accountId, assetId, by }: Change,
): void {
  const place = placeOf(accountId, assetId)
  let balance = after.get(place)
  if (!balance) {
    const { available, frozen } = before.get(place) ?? nothing
    balance = { accountId, assetId, available, frozen }
    after.set(place, balance)
  }
  if (part === 'available') balance.available += by
  else balance.frozen += by
  requirePositive(balance)
}

const nothing: Holding = { available: 0n, frozen: 0n }

/** The key of a balance in memory. */
export const placeOf = (accountId: string, assetId: string): string => `${accountId} ${assetId}`

function requirePositive({ accountId, assetId, available, frozen }: Balance): void {
  if (available >= 0n && frozen >= 0n) return
  throw new OverdrawnError(`Account ${accountId} would hold ${available} available and ${frozen} frozen of ${assetId}`)
}

async function changeSystem(tx: Tx, changes: readonly Change[]): Promise<void> {
  for (const [, some] of Map.groupBy(changes, ({ account, assetId }) => `${account} ${assetId}`)) {
    const { account: name, assetId } = some[0] as Change
    const [row] = await systemBalanceOf(tx).execute({ name, assetId })
    let amount = row?.amount ?? 0n
    for (const { by } of some) {
      amount += by
      if (amount < 0n) throw new OverdrawnError(`${name} would hold ${amount} of ${assetId}`)
    }
    await putSystemBalance(tx).execute({ name, assetId, amount })
  }
}

const insertEntries = insertKeyed(journal)
const balancesByAccount = queryAmong(
  (accountIds) => (db) =>
    db
      .select()
      .from(balances)
      .where(and(inArray(balances.accountId, accountIds), eq(balances.assetId, param('assetId')))),
)
const putBalances = putAll(balances, ['accountId', 'assetId'], ['available', 'frozen'])
export const systemBalanceOf = prepared((db) =>
  db
    .select({ amount: systemBalances.amount })
    .from(systemBalances)
    .where(and(eq(systemBalances.name, param('name')), eq(systemBalances.assetId, param('assetId')))),
)
export const putSystemBalance = upsertInto(systemBalances, ['name', 'assetId'], ['amount'])
