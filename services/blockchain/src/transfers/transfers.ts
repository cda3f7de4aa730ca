import { comparableAddress } from '@bursar/contracts/address'
import { DepositConfirmed, DepositReversed } from '@bursar/contracts/blockchain'
import type { Static } from '@bursar/contracts/schema'
import {
  and,
  asc,
  changedRecords,
  type Db,
  emit,
  emitAll,
  eq,
  inArray,
  insertAll,
  isAtLeast,
  isNull,
  lte,
  newId,
  param,
  prepared,
  queryAmong,
  sql,
  type Tx,
  updateAll,
  updateBy,
} from '@bursar/store'
import { confirmMovements, forgetMovements, hasPendingMovements, releaseMovements } from '../movements/movements'
import { forgetUntold } from '../movements/untold-fees'
import { tokenKey } from '../networks/comparable'
import type { ChainTransfer, Token } from '../networks/network'
import type { OwnOrders } from '../sends/own-orders'
import { findToken } from '../tokens/tokens'
import type { TokenRow } from '../tokens/tokens.table'
import { findWatched, isBefore, type WatchedRow } from '../watching/watched'
import { type Dust, leastDeposit } from './dust'
import { noteMovements } from './moved'
import { isAbove, isConfirmedAbove } from './published-above'
import { type TransferRow, transfers } from './transfers.table'

type Deposit = Static<typeof DepositConfirmed.payload>
type Status = TransferRow['status']

/** The confirmed deposits, which other services follow. */
export const depositRecords = changedRecords('deposit', transfers)

/**
 * Records transfers to or from watched addresses; known ones are unchanged. A deposit is pending;
 * any other has a status with the reason. Transfers from an address to itself are ignored.
 */
export async function recordTransfers(
  tx: Tx,
  network: string,
  found: readonly ChainTransfer[],
  { dust, own = new Map() }: { dust: Dust; own?: OwnOrders },
): Promise<void> {
  const find = lookups(tx, network)
  const known = await knownTransfers(tx, network, found)
  const added: TransferRow[] = []
  for (const transfer of found) {
    const fromKey = comparableAddress(transfer.from)
    const toKey = comparableAddress(transfer.to)
    const isToItself = fromKey === toKey
    // On networks with separate gains and losses a gain counts: a closed token account returns its coins.
    if (isToItself && transfer.side === undefined) continue
    const payer = await find.watched(fromKey)
    const receiver = await find.watched(toKey)
    const token = await find.token(tokenKey(transfer.contractAddress))
    const isExecution = await noteMovements(tx, network, transfer, { payer, receiver, token, own })
    if (transfer.side === 'out' || isToItself) continue
    const row = known.get(placeKey(transfer))
    if (row && row.status !== 'reversed') continue
    const status = isExecution ? 'execution' : statusOf(transfer, { receiver, token, dust })
    const decimals = token?.decimals ?? transfer.decimals
    const fresh = { ...newTransfer(network, transfer, receiver), status, decimals, fromKey, toKey }
    // In its new block the same transaction may move something else.
    const isDeposit = receiver !== null && token !== null && transfer.amount > 0n
    if (row && isDeposit) await comeBack(tx).execute({ ...fresh, id: row.id, status: 'pending' })
    if (row) continue
    known.set(placeKey(transfer), fresh)
    added.push(fresh)
  }
  await insertTransfers(tx, added)
}

const newTransfer = (network: string, transfer: ChainTransfer, receiver: WatchedRow | null) => ({
  txHash: transfer.txHash,
  logIndex: transfer.logIndex,
  id: newId(),
  network,
  accountId: receiver?.accountId ?? null,
  fromAddress: transfer.from,
  toAddress: receiver?.address ?? transfer.to,
  contractAddress: transfer.contractAddress,
  amount: transfer.amount,
  block: transfer.block,
  blockHash: transfer.blockHash,
  at: transfer.at,
  confirmedAt: null,
  reversedAt: null,
})

/** Those of the transfers that are recorded, by their place. */
async function knownTransfers(tx: Tx, network: string, found: readonly ChainTransfer[]) {
  const hashes = [...new Set(found.map(({ txHash }) => txHash))]
  const rows = await transfersOf(tx, hashes, { network })
  return new Map<string, Pick<TransferRow, 'id' | 'status'>>(rows.map((row) => [placeKey(row), row]))
}

const placeKey = ({ txHash, logIndex }: Pick<ChainTransfer, 'txHash' | 'logIndex'>) => `${logIndex} ${txHash}`

/** Addresses and tokens of a network, each read once in a commit: many transfers have the same ones. */
function lookups(tx: Tx, network: string) {
  const watched = new Map<string, Promise<WatchedRow | null>>()
  const tokens = new Map<string, Promise<TokenRow | null>>()
  return {
    watched: (key: string) => watched.getOrInsertComputed(key, () => findWatched(tx, network, key)),
    token: (key: string) => tokens.getOrInsertComputed(key, () => findToken(tx, network, key)),
  }
}

function statusOf(
  { amount, at }: ChainTransfer,
  { receiver, token, dust }: { receiver: WatchedRow | null; token: TokenRow | null; dust: Dust },
): Status {
  if (!receiver) return 'outgoing'
  if (isBefore(at, receiver.watchedAt)) return 'earlier'
  if (!token) return 'unknown_token'
  return amount < leastDeposit(dust, token) ? 'dust' : 'pending'
}

/** Publishes the pending deposits and movements in blocks up to this one. */
export async function confirmDeposits(tx: Tx, network: string, lastBlock: number, now: Date): Promise<number> {
  const rows = await pendingUpTo(tx).execute({ network, block: lastBlock })
  const confirmed = rows.map(
    (row): TransferRow => ({ ...row, status: 'confirmed', confirmedAt: now, reversedAt: null }),
  )
  await markConfirmed(tx, confirmed)
  await depositRecords.markAll(
    tx,
    rows.map(({ id }) => id),
  )
  await emitAll(
    tx,
    DepositConfirmed,
    confirmed.map((row) => ({ data: toDeposit(row), at: now })),
  )
  await confirmMovements(tx, network, lastBlock, now)
  return rows.length
}

/** Whether deposits or movements wait for their block to be final. */
export async function hasPending(db: Db, network: string): Promise<boolean> {
  const [row] = await anyPending(db).execute({ network })
  return row !== undefined || (await hasPendingMovements(db, network))
}

/**
 * Deletes what was read in blocks above this one. Already published deposits are reversed, and
 * keep their id: if they come back, they are confirmed again. Returns them.
 */
export async function rollBack(tx: Tx, network: string, block: number, now: Date): Promise<TransferRow[]> {
  await forgetAbove(tx).execute({ network, block })
  await forgetMovements(tx, network, block)
  await forgetUntold(tx, network, block)
  await goAgain(tx).execute({ network, block })
  const gone = await confirmedAbove(tx).execute({ network, block })
  for (const row of gone) {
    await markReversed(tx).execute({ id: row.id, reversedAt: now })
    await depositRecords.mark(tx, row.id)
    await emit(tx, DepositReversed, toDeposit({ ...row, reversedAt: now }), now)
  }
  return gone
}

/** Makes the deposits and movements of a newly registered token pending, except for dust. */
export async function releaseUnknown(
  tx: Tx,
  network: string,
  token: Token & { contractAddress: string },
  dust: Dust,
): Promise<void> {
  const { contractAddress, decimals } = token
  const least = leastDeposit(dust, token).toString()
  await releaseToken(tx).execute({ network, contractAddress, decimals, least })
  await releaseMovements(tx, network, contractAddress, decimals)
}

export const toDeposit = (row: TransferRow): Deposit => ({
  id: row.id,
  network: row.network,
  txHash: row.txHash,
  logIndex: row.logIndex,
  accountId: row.accountId ?? '',
  address: row.toAddress,
  sourceAddress: row.fromAddress,
  contractAddress: row.contractAddress,
  amount: row.amount.toString(),
  decimals: row.decimals ?? 0,
  confirmedAt: (row.confirmedAt ?? row.at).toISOString(),
  reversedAt: row.reversedAt?.toISOString() ?? null,
})

const transfersOf = queryAmong(
  (hashes) => (db) =>
    db
      .select({ id: transfers.id, status: transfers.status, txHash: transfers.txHash, logIndex: transfers.logIndex })
      .from(transfers)
      .where(and(eq(transfers.network, param('network')), inArray(transfers.txHash, hashes))),
)
const insertTransfers = insertAll(transfers)
const pendingUpTo = prepared((db) =>
  db
    .select()
    .from(transfers)
    .where(
      and(
        eq(transfers.network, param('network')),
        eq(transfers.status, 'pending'),
        lte(transfers.block, param('block')),
      ),
    )
    .orderBy(asc(transfers.block), asc(transfers.id))
    .limit(500),
)
const anyPending = prepared((db) =>
  db
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(eq(transfers.network, param('network')), eq(transfers.status, 'pending')))
    .limit(1),
)
const markConfirmed = updateAll(transfers, 'id', ['status', 'confirmedAt', 'reversedAt'])
/** By name, so that the index of blocks finds them. */
const unconfirmed = transfers.status.enumValues.filter((status) => status !== 'confirmed')
const forgetAbove = prepared((db) =>
  db.delete(transfers).where(and(isAbove, inArray(transfers.status, unconfirmed), isNull(transfers.reversedAt))),
)
/** Back on the chain, but not final, when it was reorganised again. */
const goAgain = prepared((db) =>
  db
    .update(transfers)
    .set({ status: 'reversed' })
    .where(and(isAbove, eq(transfers.status, 'pending'))),
)
const comeBack = updateBy(transfers, 'id', [
  'status',
  'accountId',
  'fromAddress',
  'toAddress',
  'fromKey',
  'toKey',
  'contractAddress',
  'amount',
  'decimals',
  'block',
  'blockHash',
  'at',
])
const markReversed = prepared((db) =>
  db
    .update(transfers)
    .set({ status: 'reversed', reversedAt: param('reversedAt') })
    .where(eq(transfers.id, param('id'))),
)
const confirmedAbove = prepared((db) => db.select().from(transfers).where(isConfirmedAbove))
const releaseToken = prepared((db) =>
  db
    .update(transfers)
    .set({
      status: sql`case when ${isAtLeast(transfers.amount, param('least'))} then 'pending' else 'dust' end`,
      decimals: param('decimals'),
    })
    .where(
      and(
        eq(transfers.network, param('network')),
        eq(transfers.contractAddress, param('contractAddress')),
        eq(transfers.status, 'unknown_token'),
      ),
    ),
)
