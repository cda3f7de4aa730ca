import type { Tx } from '@bursar/store'
import { resetTarget, type Waking } from '../targets/targets'
import { type EndpointRow, storeEndpoint } from './endpoints'
import { overlapMs } from './secrets'

/** Puts a new secret in; the one before signs as well for 24 hours, one from before that no more. */
export async function rotateSecret(tx: Tx, row: EndpointRow, secret: string, now: Date): Promise<EndpointRow> {
  const previousUntil = new Date(now.getTime() + overlapMs)
  const rotated = { ...row, secret, previousSecret: row.secret, previousUntil, updatedAt: now }
  await storeEndpoint(tx, rotated)
  return rotated
}

/** Enables it again, with no memory of earlier failures. What failed meanwhile can be replayed. */
export async function enableEndpoint(tx: Tx, row: EndpointRow, waking: Waking): Promise<EndpointRow> {
  await resetTarget(tx, row.id, waking)
  if (row.status === 'active') return row
  const enabled: EndpointRow = { ...row, status: 'active', updatedAt: waking.now }
  await storeEndpoint(tx, enabled)
  return enabled
}

/** The receiver says that nothing is there any more (410). */
export const disableEndpoint = (tx: Tx, row: EndpointRow, now: Date): Promise<unknown> =>
  storeEndpoint(tx, { ...row, status: 'disabled', updatedAt: now })
