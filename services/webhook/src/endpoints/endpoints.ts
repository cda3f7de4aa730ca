import { takesEvent, webhookEvents } from '@bursar/contracts/webhook-events'
import { type CheckedOutbound, OutboundError } from '@bursar/http/outbound'
import {
  type Db,
  defineList,
  deleteBy,
  eq,
  insertInto,
  param,
  rowBy,
  rowsBy,
  rowsOf,
  type Tx,
  updateBy,
} from '@bursar/store'
import { fail } from '../errors'
import { isIn } from '../scope'
import { resetTarget, type Waking, wakeTarget } from '../targets/targets'
import type { Endpoint, EndpointChanges, EndpointQuery, NewEndpoint } from './endpoints.model'
import { endpoints } from './endpoints.table'
import { overlapMs } from './secrets'

export type EndpointRow = typeof endpoints.$inferSelect

/** The maximum number of endpoints per participant: each event makes a delivery for every one of them. */
export const mostEndpoints = 20

/** Registers an endpoint; its secret is already encrypted for `id`. Fails (409) when the participant has too many. */
export async function createEndpoint(
  tx: Tx,
  { participantId, url, eventTypes = [] }: NewEndpoint,
  { id, secret, now }: { id: string; secret: string; now: Date },
): Promise<EndpointRow> {
  if ((await endpointsOf(tx, participantId)).length >= mostEndpoints) {
    throw fail('TOO_MANY_ENDPOINTS', {
      message: `The participant has ${mostEndpoints} endpoints; it may not have more`,
    })
  }
  const row: EndpointRow = {
    id,
    participantId,
    url,
    eventTypes,
    status: 'active',
    secret,
    previousSecret: null,
    previousUntil: null,
    createdAt: now,
    updatedAt: now,
  }
  await insertEndpoint(tx).execute(row)
  return row
}

/** Changes its URL and event types. Waiting deliveries go to the new URL. */
export async function changeEndpoint(tx: Tx, row: EndpointRow, changes: EndpointChanges, now: Date) {
  const changed = { ...row, ...changes, updatedAt: now }
  await storeEndpoint(tx, changed)
  return changed
}

/** Deletes it. The worker fails its waiting deliveries. */
export async function deleteEndpoint(tx: Tx, { id }: EndpointRow, waking: Waking): Promise<void> {
  await removeEndpoint(tx).execute({ id })
  await wakeTarget(tx, { id, endpointId: id }, waking)
}

export const storeEndpoint = (tx: Tx, row: EndpointRow): Promise<unknown> => updateEndpoint(tx).execute({ ...row })

/** Fails (404) also when it belongs to a participant outside the request's scope. */
export async function getEndpoint(db: Db, id: string, scope: string | null): Promise<EndpointRow> {
  const row = await findEndpoint(db, id.toLowerCase())
  if (!row || !isIn(scope, row)) throw fail('ENDPOINT_NOT_FOUND')
  return row
}

export const findEndpoint = rowBy(endpoints, 'id')

/** A participant's endpoints that subscribe to this type, including disabled ones, oldest first. */
export async function endpointsFor(db: Db, participantId: string, eventType: string): Promise<EndpointRow[]> {
  return (await endpointsOf(db, participantId)).filter((row) => takes(row, eventType))
}

const takes = ({ eventTypes }: Pick<EndpointRow, 'eventTypes'>, eventType: string): boolean =>
  eventTypes.length === 0 || eventTypes.some((pattern) => takesEvent(pattern, eventType))

/** The types that happen by themselves: a test is sent whatever an endpoint takes. */
const happening = webhookEvents.map(({ type }) => type).filter((type) => type !== 'webhook.test')

/** The endpoint as the API returns it. */
export const toEndpoint = (row: EndpointRow): Endpoint => ({
  id: row.id,
  participantId: row.participantId,
  url: row.url,
  eventTypes: row.eventTypes,
  takes: happening.filter((type) => takes(row, type)),
  status: row.status,
  previousSecretUntil: row.previousUntil?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const insertEndpoint = insertInto(endpoints)
const removeEndpoint = deleteBy(endpoints, 'id')
export const endpointRows = rowsOf(endpoints, 'id')
const endpointsOf = rowsBy(endpoints, 'participantId', 'id')
const updateEndpoint = updateBy(endpoints, 'id', [
  'url',
  'eventTypes',
  'status',
  'secret',
  'previousSecret',
  'previousUntil',
  'updatedAt',
])

/** The endpoints of a participant or of all, by age. */
export const endpointList = defineList({
  id: endpoints.id,
  rows: (db) => db.select().from(endpoints),
  to: toEndpoint,
  read: ({ participantId }: Pick<EndpointQuery, 'participantId'>) => ({
    form: { hasParticipant: participantId !== undefined },
    values: { participantId },
  }),
  where: ({ hasParticipant }) => (hasParticipant ? eq(endpoints.participantId, param('participantId')) : undefined),
})

/** The timeout for resolving its host name. */
const timeoutMs = 5000

/** An index of PostgreSQL takes no longer texts than 2704 bytes; characters may have four. */
const mostUrlBytes = 2048

/**
 * Refuses (400) an invalid or too long URL, or one of a non-public address. A host that cannot be resolved now may be
 * resolvable later: every attempt resolves it again.
 */
export async function checkEndpointUrl(outbound: CheckedOutbound, url: string): Promise<void> {
  if (Buffer.byteLength(url) > mostUrlBytes) throw refusal(`url must be at most ${mostUrlBytes} bytes long`)
  try {
    await outbound.check(url, { timeoutMs })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.reason === 'blocked') throw refusal(`url: ${error.message}`)
    if (error.reason === 'invalid-url') throw refusal(error.message.replace('The URL', 'url'))
  }
}

const refusal = (message: string) => fail('URL_REFUSED', { fields: [{ field: 'url', message }] })

/** Sets a new secret; the previous one also signs for 24 hours, older ones no longer. */
export async function rotateSecret(tx: Tx, row: EndpointRow, secret: string, now: Date): Promise<EndpointRow> {
  const previousUntil = new Date(now.getTime() + overlapMs)
  const rotated = { ...row, secret, previousSecret: row.secret, previousUntil, updatedAt: now }
  await storeEndpoint(tx, rotated)
  return rotated
}

/** Enables an endpoint and resets its failures. Deliveries that failed meanwhile can be replayed. */
export async function enableEndpoint(tx: Tx, row: EndpointRow, waking: Waking): Promise<EndpointRow> {
  await resetTarget(tx, row.id, waking)
  if (row.status === 'active') return row
  const enabled: EndpointRow = { ...row, status: 'active', updatedAt: waking.now }
  await storeEndpoint(tx, enabled)
  return enabled
}

/** Disables an endpoint whose receiver answered 410 (Gone). */
export const disableEndpoint = (tx: Tx, row: EndpointRow, now: Date): Promise<unknown> =>
  storeEndpoint(tx, { ...row, status: 'disabled', updatedAt: now })
