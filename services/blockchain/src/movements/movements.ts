import { type ConfirmedMovement, MovementConfirmed, MovementReversed } from '@bursar/contracts/blockchain'
import {
  and,
  asc,
  byKey,
  changedRecords,
  type Db,
  emit,
  eq,
  gt,
  isNotNull,
  isNull,
  lte,
  newId,
  param,
  params,
  prepared,
  sql,
  type Tx,
  updateBy,
} from '@bursar/store'
import { type MovementRow, movements } from './movements.table'

/** The published movements, which the ledger follows. */
export const movementRecords = changedRecords('movement', movements)

type NewMovement = Omit<MovementRow, 'id' | 'confirmedAt' | 'reversedAt'>

/**
 * Records a movement in a block; a known one is unchanged, except for its block if it has come back the same. It is
 * published when the block is final.
 */
export const noteMovement = (tx: Tx, movement: NewMovement): Promise<unknown> =>
  insertMovement(tx).execute({ ...movement, id: newId(), confirmedAt: null, reversedAt: null })

/**
 * The fee of a final transaction, paid in the network's coin. Published at once, and only once; nothing for a fee of 0.
 */
export async function recordFee(
  tx: Tx,
  fee: Pick<MovementRow, 'network' | 'txHash' | 'accountId' | 'address' | 'amount' | 'decimals' | 'orderId'>,
  now: Date,
): Promise<void> {
  if (fee.amount <= 0n) return
  const noted = await movementsOf(tx, fee.network, fee.txHash)
  if (noted.some(({ place }) => place === 'fee')) return
  const told = { kind: 'fee', place: 'fee', counterparty: null, contractAddress: null, block: 0 } as const
  const row: MovementRow = { ...fee, ...told, id: newId(), confirmedAt: now, reversedAt: null }
  await insertMovement(tx).execute(row)
  await tell(tx, row, now)
}

/** Publishes the movements in blocks up to this one. */
export async function confirmMovements(tx: Tx, network: string, lastBlock: number, now: Date): Promise<void> {
  for (const row of await pendingUpTo(tx).execute({ network, block: lastBlock })) {
    await markConfirmed(tx).execute({ id: row.id, confirmedAt: now, reversedAt: null })
    await tell(tx, { ...row, confirmedAt: now, reversedAt: null }, now)
  }
}

/** Whether movements wait for their block to be final. */
export async function hasPendingMovements(db: Db, network: string): Promise<boolean> {
  return (await anyPending(db).execute({ network })).length > 0
}

/** All recorded movements of a transaction. */
export const movementsOf = (db: Db, network: string, txHash: string): Promise<MovementRow[]> =>
  ofTransaction(db).execute({ network, txHash })

/**
 * Reverses and returns the published movements in blocks above this one, which a reorganisation has removed; fees have no
 * block. If they come back, they are published again when their block is final.
 */
export async function reverseMovements(tx: Tx, network: string, block: number, now: Date): Promise<MovementRow[]> {
  const rows = await confirmedAbove(tx).execute({ network, block })
  for (const row of rows) {
    await markReversed(tx).execute({ id: row.id, reversedAt: now })
    await movementRecords.mark(tx, row.id)
    await emit(tx, MovementReversed, toMovement({ ...row, reversedAt: now }), now)
  }
  return rows
}

/** Deletes the movements in blocks above this one that were never published; the others are reversed as before. */
export async function forgetMovements(tx: Tx, network: string, block: number): Promise<void> {
  await deleteAbove(tx).execute({ network, block })
  await goAgain(tx).execute({ network, block })
}

/** Publishes the movements of a newly registered token. */
export const releaseMovements = (
  tx: Tx,
  network: string,
  contractAddress: string,
  decimals: number,
): Promise<unknown> => setDecimals(tx).execute({ network, contractAddress, decimals })

export const toMovement = (row: MovementRow): ConfirmedMovement => ({
  id: row.id,
  kind: row.kind,
  network: row.network,
  txHash: row.txHash,
  place: row.place,
  accountId: row.accountId,
  address: row.address,
  counterparty: row.counterparty,
  contractAddress: row.contractAddress,
  amount: row.amount.toString(),
  decimals: row.decimals ?? 0,
  orderId: row.orderId,
  // One that is back and not final yet has none.
  confirmedAt: (row.confirmedAt ?? row.reversedAt ?? new Date(0)).toISOString(),
  ...(row.reversedAt === null ? {} : { reversedAt: row.reversedAt.toISOString() }),
})

async function tell(tx: Tx, row: MovementRow, now: Date): Promise<void> {
  await movementRecords.mark(tx, row.id)
  await emit(tx, MovementConfirmed, toMovement(row), now)
}

/** In its new block the same transaction may move something else: then what was told is not back. */
const movesTheSame = sql`${movements.amount} = excluded.amount and ${movements.accountId} = excluded.account_id
  and coalesce(${movements.contractAddress}, '') = coalesce(excluded.contract_address, '')`
const insertMovement = prepared((db) =>
  db
    .insert(movements)
    .values(params(movements))
    .onConflictDoUpdate({
      target: [movements.network, movements.txHash, movements.place],
      set: { block: param('block'), confirmedAt: null },
      setWhere: and(isNotNull(movements.reversedAt), movesTheSame),
    }),
)
const ofTransaction = byKey(movements, 'network', { only: eq(movements.txHash, param('txHash')) })
const isPending = and(eq(movements.network, param('network')), isNull(movements.confirmedAt))
const canBeTold = and(isPending, isNotNull(movements.decimals))
/** Reads of each look for final movements, which touch none of unregistered tokens. */
export const pendingReads = {
  upTo: (db: Db) =>
    db
      .select()
      .from(movements)
      .where(and(canBeTold, lte(movements.block, param('block'))))
      .orderBy(asc(movements.block), asc(movements.id))
      .limit(500),
  any: (db: Db) => db.select({ id: movements.id }).from(movements).where(canBeTold).limit(1),
}
const pendingUpTo = prepared(pendingReads.upTo)
const anyPending = prepared(pendingReads.any)
const markConfirmed = updateBy(movements, 'id', ['confirmedAt', 'reversedAt'])
const markReversed = updateBy(movements, 'id', ['reversedAt'])
/** Used only after a reorganisation below the final blocks, so it has no index. */
const confirmedAbove = prepared((db) =>
  db
    .select()
    .from(movements)
    .where(
      and(
        eq(movements.network, param('network')),
        isNotNull(movements.confirmedAt),
        isNull(movements.reversedAt),
        gt(movements.block, param('block')),
      ),
    )
    .orderBy(asc(movements.block)),
)
const isPendingAbove = and(isPending, gt(movements.block, param('block')))
const deleteAbove = prepared((db) => db.delete(movements).where(and(isPendingAbove, isNull(movements.reversedAt))))
/** Back on the chain, but not final, when it was reorganised again. */
const goAgain = prepared((db) =>
  db
    .update(movements)
    .set({ confirmedAt: sql`${movements.reversedAt}` })
    .where(and(isPendingAbove, isNotNull(movements.reversedAt))),
)
const setDecimals = prepared((db) =>
  db
    .update(movements)
    .set({ decimals: param('decimals') })
    .where(and(isPending, isNull(movements.decimals), eq(movements.contractAddress, param('contractAddress')))),
)
