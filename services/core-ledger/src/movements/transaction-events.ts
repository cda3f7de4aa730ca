import { TransactionCreated, TransactionMoved, type TransactionState } from '@bursar/contracts/core-ledger'
import { isoTime } from '@bursar/contracts/iso-time'
import { formatAmount } from '@bursar/money'
import { emitAll, type Tx } from '@bursar/store'
import { participantOf } from '../accounts/accounts'
import { normalNetwork } from '../networks/networks'
import { phasesOf } from './phases'
import type { MovableRecord } from './read-transactions'
import type { Status } from './states'

/**
 * The most characters of a reason in an event: the tracker's line then stays far below its limit, and need not be
 * measured.
 */
const longestReason = 2000

/** A transaction that was made, or moved from a status. */
export interface Change {
  moved: MovableRecord
  /** Null for a new transaction. */
  from: Status | null
  reason: string | null
  /** The request that the event names; the commit's unless given. */
  requestId?: string | null | undefined
}

/** Emits, in this commit, that transactions were created (spec 2, Events). */
export const emitCreated = async (tx: Tx, changes: readonly Change[], at: Date): Promise<void> =>
  await emitAll(tx, TransactionCreated, await statesOf(tx, changes, at))

/** Emits, in this commit, that transactions were moved from a status, and why. */
export const emitMoved = async (tx: Tx, changes: readonly Change[], at: Date): Promise<void> =>
  await emitAll(tx, TransactionMoved, await statesOf(tx, changes, at))

async function statesOf(tx: Tx, changes: readonly Change[], at: Date) {
  const states = []
  for (const { requestId, ...change } of changes) {
    const { toAccountId } = change.moved
    const receiver = toAccountId === null ? null : await participantOf(tx, toAccountId)
    states.push({ requestId, at, data: stateOf(change, receiver, at) })
  }
  return states
}

const stateOf = (
  { moved: record, from, reason }: Change,
  toParticipantId: string | null,
  at: Date,
): TransactionState => ({
  v: 1,
  id: record.id,
  type: record.type,
  from,
  status: record.status,
  reason: reason?.slice(0, longestReason) ?? null,
  amount: formatAmount(record.amount, record.asset.decimals),
  assetId: record.assetId,
  assetCode: record.asset.code,
  assetDecimals: record.asset.decimals,
  network: normalNetwork(record.network),
  customerId: record.customerId,
  accountId: record.accountId,
  toAccountId: record.toAccountId,
  sourceAddress: record.sourceAddress,
  destinationAddress: record.destinationAddress,
  ...(record.returns === null ? {} : { returns: record.returns }),
  txHash: record.txHash,
  reference: record.reference,
  participantId: record.participantId,
  toParticipantId,
  phases: phasesOf(record),
  at: isoTime(at),
})
