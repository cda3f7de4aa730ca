import { and, eq, insertInto, param, params, prepared, type Tx } from '@bursar/store'
import { balances, systemBalances } from './balances.table'
import { journal } from './journal.table'
import {
  type LedgerAccount,
  type Movable,
  type Moved,
  type MovementEntryKind,
  sidesOf,
  sidesOfMovement,
  type TransactionEntryKind,
} from './ledger-accounts'

/** A posting: the whole amount of a transaction, once per kind. */
export interface Posting extends Movable {
  id: string
  assetId: string
  /** Above 0, in minor units. */
  amount: bigint
}

/** An account's balance of one asset, in minor units. */
export interface Holding {
  available: bigint
  frozen: bigint
}

/** A balance would become negative. Checked before every entry; callers check first where a request can cause it. */
export class OverdrawnError extends Error {
  override name = 'OverdrawnError'
}

/**
 * Adds one entry to the journal and updates the balances of its accounts, in the caller's commit. `known` is the paying
 * account's balance if the caller has already read it in this commit. Throws OverdrawnError: the commit must then be
 * rolled back.
 */
export async function post(tx: Tx, kind: TransactionEntryKind, of: Posting, at: Date, known?: Holding): Promise<void> {
  if (of.amount <= 0n) throw new Error(`An entry of ${of.amount} for transaction ${of.id}`)
  const { debit, credit } = sidesOf[kind](of)
  await insertEntry(tx).execute({
    transactionId: of.id,
    kind,
    assetId: of.assetId,
    debit,
    credit,
    amount: of.amount,
    createdAt: at,
  })
  if (kind === 'hold') return moveWithin(tx, of, -of.amount, known)
  if (kind === 'release') return moveWithin(tx, of, of.amount)
  await change(tx, debit, of.assetId, -of.amount)
  await change(tx, credit, of.assetId, of.amount)
}

/** The posting of a chain movement, made only once: its id is derived from its place on the chain. */
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
  const { id: transactionId, assetId, amount } = of
  await insertEntry(tx).execute({ transactionId, kind, assetId, ...sides, amount, createdAt: at })
  await change(tx, sides.debit, assetId, -amount)
  await change(tx, sides.credit, assetId, amount)
}

/** An account's balance of an asset; zero when there is no row. */
export async function holdingOf(tx: Tx, accountId: string, assetId: string): Promise<Holding> {
  const [row] = await balanceOf(tx).execute({ accountId, assetId })
  return row ?? { available: 0n, frozen: 0n }
}

/** Moves an amount between the two parts of one account: one row, one write. */
async function moveWithin(tx: Tx, { accountId, assetId }: Posting, released: bigint, known?: Holding): Promise<void> {
  const before = known ?? (await holdingOf(tx, accountId, assetId))
  const available = before.available + released
  const frozen = before.frozen - released
  requirePositive(accountId, assetId, { available, frozen })
  // An account with an amount to hold or release has a row.
  await updateBalance(tx).execute({ accountId, assetId, available, frozen })
}

async function change(tx: Tx, account: LedgerAccount, assetId: string, by: bigint): Promise<void> {
  const separator = account.indexOf(':')
  const part = account.slice(0, separator)
  // Accounts outside the books may be negative; their balances are folded from the journal later.
  if (part === 'world' || part === 'fees') return
  if (part !== 'available' && part !== 'frozen') return changeSuspense(tx, account, assetId, by)
  const accountId = account.slice(separator + 1)
  const holding = await holdingOf(tx, accountId, assetId)
  const after = { ...holding, [part]: holding[part] + by }
  requirePositive(accountId, assetId, after)
  await putBalance(tx).execute({ accountId, assetId, ...after })
}

function requirePositive(accountId: string, assetId: string, { available, frozen }: Holding): void {
  if (available >= 0n && frozen >= 0n) return
  throw new OverdrawnError(`Account ${accountId} would hold ${available} available and ${frozen} frozen of ${assetId}`)
}

/** Changes the balance of deposits in suspense, or of returns. */
async function changeSuspense(tx: Tx, name: LedgerAccount, assetId: string, by: bigint): Promise<void> {
  const [row] = await systemBalanceOf(tx).execute({ name, assetId })
  const amount = (row?.amount ?? 0n) + by
  if (amount < 0n) throw new OverdrawnError(`${name} would hold ${amount} of ${assetId}`)
  await putSystemBalance(tx).execute({ name, assetId, amount })
}

const insertEntry = insertInto(journal)
const balanceOf = prepared((db) =>
  db.select({ available: balances.available, frozen: balances.frozen }).from(balances).where(isOfAccountAndAsset),
)
const isOfAccountAndAsset = and(eq(balances.accountId, param('accountId')), eq(balances.assetId, param('assetId')))
const updateBalance = prepared((db) =>
  db
    .update(balances)
    .set({ available: param('available'), frozen: param('frozen') })
    .where(isOfAccountAndAsset),
)
const putBalance = prepared((db) =>
  db
    .insert(balances)
    .values(params(balances))
    .onConflictDoUpdate({
      target: [balances.accountId, balances.assetId],
      set: { available: param('available'), frozen: param('frozen') },
    }),
)
const systemBalanceOf = prepared((db) =>
  db
    .select({ amount: systemBalances.amount })
    .from(systemBalances)
    .where(and(eq(systemBalances.name, param('name')), eq(systemBalances.assetId, param('assetId')))),
)
const putSystemBalance = prepared((db) =>
  db
    .insert(systemBalances)
    .values(params(systemBalances))
    .onConflictDoUpdate({
      target: [systemBalances.name, systemBalances.assetId],
      set: { amount: param('amount') },
    }),
)
