import type { Tx } from '@bursar/store'
import { resetTarget, type Waking } from '../targets/targets'
import { type EndpointRow, storeEndpoint } from './endpoints'
import { overlapMs } from './secrets'

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
