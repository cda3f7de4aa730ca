import type { Db } from '@bursar/store'
import type { DraftRequest } from '../networks/network'
import { type Lease, readOpen } from './queue'
import { readAttempts } from './sends'

/** More than a node keeps for one sender. */
export const mostOpen = 500

/** The orders of a sender that may be on the chain, with the newest attempt of each. */
export async function liveInFlight(db: Db, lease: Lease): Promise<DraftRequest['inFlight']> {
  const rows = await readOpen(db, lease, mostOpen)
  const found = await Promise.all(
    rows.map(async (order) => ({ order, attempt: (await readAttempts(db, order.id))[0] })),
  )
  return found.flatMap(({ order, attempt }) => (attempt ? [{ order, attempt }] : []))
}
