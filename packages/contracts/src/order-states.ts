import type { ChangeMark } from './replica'
import { nullable, oneOf, type Static, t, uuid } from './schema'

// The states of an order to pay something on a chain. The ledger, the wallet service and the blockchain service each
// have a record of it, under one id, with the same states and moves.

/**
 * `accepted`: it will be sent. `broadcast`: sent with this hash, not final yet. `confirmed`: final. `failed`: refused or
 * reverted, recorded, and never to be paid under this id.
 */
export const orderStatuses = ['accepted', 'broadcast', 'confirmed', 'failed'] as const
export type OrderStatus = (typeof orderStatuses)[number]

const moves: Record<OrderStatus, readonly OrderStatus[]> = {
  accepted: ['broadcast', 'confirmed', 'failed'],
  // To `broadcast`: under another hash. Back to `accepted`: none of its transactions can ever be mined, so it is sent
  // again.
  broadcast: ['broadcast', 'accepted', 'confirmed', 'failed'],
  confirmed: [],
  failed: [],
}

/** Whether an order may move from the first status to the second. */
export const canMove = (from: OrderStatus, to: OrderStatus): boolean => moves[from].includes(to)

/** Whether its outcome is final. */
export const isFinal = (status: OrderStatus): boolean => moves[status].length === 0

const fields = {
  /** The hash of its transaction on the chain; null before it was broadcast. */
  txHash: nullable(t.String()),
  /** Why it failed; null otherwise. */
  reason: nullable(t.String()),
}
/** The state of an order in an answer. */
export const orderState = { id: uuid(), status: oneOf(orderStatuses), ...fields }

/** The states that events carry. `accepted` is known by the answer to the order. */
export const toldStatuses = ['broadcast', 'confirmed', 'failed'] as const
const told = t.Object({ id: uuid(), status: oneOf(toldStatuses), ...fields })
/** The state of an order in an event. */
export const toldState = told.properties
export type ToldState = Static<typeof told>

/** Whether events carry this state. */
export const isTold = <S extends { status: OrderStatus }>(state: S): state is S & { status: ToldState['status'] } =>
  state.status !== 'accepted'

/** The mark of the last event in a consumer's record; nulls before the first. */
interface Marked {
  toldEpoch: number | null
  toldVersion: number | null
}

/** The mark in a record. */
export const markOf = ({ toldEpoch, toldVersion }: Marked): ChangeMark | null =>
  toldEpoch === null || toldVersion === null ? null : { epoch: toldEpoch, version: toldVersion }

const isNewer = (mark: ChangeMark, than: ChangeMark): boolean =>
  mark.epoch > than.epoch || (mark.epoch === than.epoch && mark.version > than.version)

/** Whether an event has told of a record since it was read before: an answer that was asked for then may be older. */
export const wasTold = (before: Marked, now: Marked): boolean =>
  now.toldVersion !== null && (now.toldVersion !== before.toldVersion || now.toldEpoch !== before.toldEpoch)

/** The record of an order at a consumer. `told`: the state of the last event; null if an answer has said more since. */
export interface HeardOrder {
  status: OrderStatus
  txHash: string | null
  told: ChangeMark | null
}

/**
 * Judges an event, which may arrive late, twice, out of order, or from a database that was restored since.
 * - `confirmed` is believed whenever it arrives: no restore takes a final transaction off its chain.
 * - An event with an older state than the last one is ignored.
 * - `failed` is asked about: if a restore has lost that record, the order may be paid in the following run.
 * - `broadcast` is believed, unless an answer, which has no mark, has named another hash.
 */
export function judgeEvent(
  known: HeardOrder,
  event: Omit<ToldState, 'id' | 'reason'> & ChangeMark,
): 'believe' | 'ask' | 'ignore' {
  if (isFinal(known.status)) return 'ignore'
  if (event.status === 'confirmed') return event.txHash === null ? 'ask' : 'believe'
  if (known.told !== null && !isNewer(event, known.told)) return 'ignore'
  if (event.status === 'failed' || event.txHash === null) return 'ask'
  const isSettled = known.txHash === null || known.txHash === event.txHash || known.told !== null
  return isSettled ? 'believe' : 'ask'
}
