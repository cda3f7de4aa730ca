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

/** The data for the event of a new transaction. */
export interface CreatedEvent {
  made: MovableRecord
  /** The request that the event names; the commit's unless given. */
  requestId?: string | null | undefined
}

/** Emits, in this commit, that transactions were created (spec 2, Events). */
export async function emitCreated(tx: Tx, events: readonly CreatedEvent[], at: Date): Promise<void> {
  const emitted = []
  for (const { made, requestId } of events) {
    const receiver = made.toAccountId === null ? null : await participantOf(tx, made.toAccountId)
    emitted.push({ requestId, at, data: stateOf(made, receiver, null, null, at) })
  }
  await emitAll(tx, TransactionCreated, emitted)
}

/** The data for the event of a move. */
export interface MovedEvent {
  moved: MovableRecord
  from: Status
  reason: string | null
  /** The request that the event names; the commit's unless given. */
  requestId?: string | null | undefined
}

/** Emits, in this commit, that transactions were moved from a status, and why. */
export async function emitMoved(tx: Tx, events: readonly MovedEvent[], at: Date): Promise<void> {
  const emitted = []
  for (const { moved, from, reason, requestId } of events) {
    const receiver = moved.toAccountId === null ? null : await participantOf(tx, moved.toAccountId)
    emitted.push({ requestId, at, data: stateOf(moved, receiver, from, reason, at) })
  }
  await emitAll(tx, TransactionMoved, emitted)
}

const stateOf = (
  record: MovableRecord,
  toParticipantId: string | null,
  from: Status | null,
  reason: string | null,
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
