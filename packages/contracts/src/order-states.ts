import type { ChangeMark } from './replica'
import { nullable, oneOf, type Static, t, uuid } from './schema'

// The life of an order to pay something on a chain. The ledger, the wallet service and the blockchain service each have a
// record of it, under one id; its states and moves are the same for all three.

/**
 * `accepted`: it will be sent. `broadcast`: sent with this hash, not final yet. `confirmed`: final. `failed`: refused or
 * reverted, recorded, and never to be paid under this id.
 */
export const orderStatuses = ['accepted', 'broadcast', 'confirmed', 'failed'] as const
export type OrderStatus = (typeof orderStatuses)[number]

const moves: Record<OrderStatus, readonly OrderStatus[]> = {
  accepted: ['broadcast', 'confirmed', 'failed'],
  // To itself: under another hash. Back: none of its transactions can ever be mined, so it is sent again.
  broadcast: ['broadcast', 'accepted', 'confirmed', 'failed'],
  confirmed: [],
  failed: [],
}

/** Whether an order may come to the second status from the first. */
export const canMove = (from: OrderStatus, to: OrderStatus): boolean => moves[from].includes(to)

/** Whether its outcome is final. */
export const isFinal = (status: OrderStatus): boolean => moves[status].length === 0

const fields = {
  /** Of its transaction on the chain; null before it was broadcast. */
  txHash: nullable(t.String()),
  /** Why it failed; null otherwise. */
  reason: nullable(t.String()),
}
/** The state of an order in an answer. */
export const orderState = { id: uuid(), status: oneOf(orderStatuses), ...fields }

/** The states that events tell of. `accepted` is told by the answer to the order. */
export const toldStatuses = ['broadcast', 'confirmed', 'failed'] as const
const told = t.Object({ id: uuid(), status: oneOf(toldStatuses), ...fields })
/** The state of an order in an event. */
export const toldState = told.properties
export type ToldState = Static<typeof told>

/** Whether events tell of this state. */
export const isTold = <S extends { status: OrderStatus }>(state: S): state is S & { status: ToldState['status'] } =>
  state.status !== 'accepted'

/** The mark in a record of `toldEpoch` and `toldVersion`. */
export const markOf = ({
  toldEpoch,
  toldVersion,
}: {
  toldEpoch: number | null
  toldVersion: number | null
}): ChangeMark | null =>
  toldEpoch === null || toldVersion === null ? null : { epoch: toldEpoch, version: toldVersion }

export const isNewer = (mark: ChangeMark, than: ChangeMark): boolean =>
  mark.epoch > than.epoch || (mark.epoch === than.epoch && mark.version > than.version)

/** The record of an order at a consumer. `told`: the state of the last event; null if an answer has said more since. */
export interface HeardOrder {
  status: OrderStatus
  txHash: string | null
  told: ChangeMark | null
}

/**
 * What to do about an event, which may come late, twice, out of order, or from a database that was set back since.
 * - `confirmed` is believed whenever it comes: no restore takes a final transaction off its chain.
 * - An event of an older state than the one told last is ignored.
 * - `failed` is asked about: where a restore has taken that record away, the order may be paid in the run that followed.
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
