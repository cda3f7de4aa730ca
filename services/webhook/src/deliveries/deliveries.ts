import {
  type Db,
  getTableColumns,
  inArray,
  insertInto,
  newId,
  queryAmong,
  rowBy,
  type Tx,
  updateBy,
} from '@bursar/store'
import { fail } from '../errors'
import { isIn } from '../scope'
import { type Waking, wakeTarget } from '../targets/targets'
import type { Delivery, DeliveryEntry } from './deliveries.model'
import { deliveries } from './deliveries.table'

export type DeliveryRow = typeof deliveries.$inferSelect

/** A delivery without what is sent, which may be a megabyte: many of them may be read at once. */
export type ListedRow = Omit<DeliveryRow, 'body' | 'headers'>

const { body: _body, headers: _headers, ...listed } = getTableColumns(deliveries)
/** The columns of a `ListedRow`. */
export const listedColumns = listed

/** The event to deliver. */
export type DeliveredEvent = Pick<
  DeliveryRow,
  'eventId' | 'requestId' | 'eventType' | 'participantId' | 'headers' | 'body' | 'maxRetries'
>

/** The destination of a delivery. */
export interface Destination {
  targetId: string
  endpointId: string | null
  url: string
}

/** Stores a delivery that is ready to send. */
export async function createDelivery(
  tx: Tx,
  event: DeliveredEvent,
  to: Destination,
  waking: Waking,
): Promise<DeliveryRow> {
  const row: DeliveryRow = { ...blank(event, waking.now), ...to, status: 'pending_retry' }
  await insertDelivery(tx).execute(row)
  await wakeTarget(tx, { id: to.targetId, endpointId: to.endpointId }, waking)
  return row
}

/** Stores a delivery that cannot be sent, and why. */
export async function createFailed(
  tx: Tx,
  event: DeliveredEvent,
  to: Destination | null,
  reason: string,
  now: Date,
): Promise<DeliveryRow> {
  const row: DeliveryRow = { ...blank(event, now), ...to, status: 'failed', failedAt: now, lastError: reason }
  await insertDelivery(tx).execute(row)
  return row
}

function blank(event: DeliveredEvent, now: Date) {
  return {
    ...event,
    id: newId(now),
    endpointId: null,
    targetId: null,
    url: '',
    attemptCount: 0,
    lastError: null,
    lastAttemptAt: null,
    successAt: null,
    failedAt: null,
    httpStatus: null,
    dueAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Stores a delivery's destination and outcome. */
export const storeOutcome = (tx: Tx, row: ListedRow): Promise<unknown> => updateDelivery(tx).execute({ ...row })

/** Fails (404) also when it belongs to a participant outside the request's scope. */
export async function getDelivery(db: Db, id: string, scope: string | null): Promise<DeliveryRow> {
  const row = await findDelivery(db, id.toLowerCase())
  if (!row || !isIn(scope, row)) throw fail('DELIVERY_NOT_FOUND')
  return row
}

export const findDelivery = rowBy(deliveries, 'id')

/** Whether it went, or goes, to the deployment's own URL, and the request is an institution's. */
export const isToOperator = ({ endpointId }: Pick<DeliveryRow, 'endpointId'>, scope: string | null): boolean =>
  scope !== null && endpointId === null

/** Where it goes, as the request may see it: an operator's URL may hold a secret, so that others see its origin alone. */
export function shownUrl(row: Pick<DeliveryRow, 'endpointId' | 'url'>, scope: string | null): string {
  if (!isToOperator(row, scope)) return row.url
  return URL.canParse(row.url) ? new URL(row.url).origin : ''
}

/** The delivery as the API returns it to this scope. */
export const toDelivery = (row: ListedRow, scope: string | null): Delivery => ({
  deliveryId: row.id,
  requestId: row.requestId,
  status: row.status,
  attemptCount: row.attemptCount,
  maxRetries: row.maxRetries,
  lastError: row.lastError,
  ...(row.lastAttemptAt && { lastAttemptAt: row.lastAttemptAt.toISOString() }),
  ...(row.successAt && { successAt: row.successAt.toISOString() }),
  ...(row.httpStatus !== null && { httpStatus: row.httpStatus }),
  webhookUrl: shownUrl(row, scope),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** The delivery as the console shows it. */
export const toDeliveryEntry = (row: ListedRow, scope: string | null): DeliveryEntry => ({
  ...toDelivery(row, scope),
  eventType: row.eventType,
  endpointId: row.endpointId,
  participantId: row.participantId,
  nextAttemptAt: row.dueAt?.toISOString() ?? null,
})

const insertDelivery = insertInto(deliveries)
export const listedRows = queryAmong(
  (ids) => (db) => db.select(listedColumns).from(deliveries).where(inArray(deliveries.id, ids)),
)
const updateDelivery = updateBy(deliveries, 'id', [
  'endpointId',
  'targetId',
  'url',
  'status',
  'attemptCount',
  'maxRetries',
  'lastError',
  'lastAttemptAt',
  'successAt',
  'failedAt',
  'httpStatus',
  'dueAt',
  'updatedAt',
])
