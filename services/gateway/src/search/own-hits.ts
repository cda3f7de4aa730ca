import type { SearchKind } from '@bursar/contracts/search'
import type { Owners } from '../access/owners'
import type { OwnedKind } from '../access/rules'
import type { Found } from './search.model'

/**
 * How a participant's hits are checked for ownership, besides the service's own filter: `owned`: by the owner of the
 * object; `service`: only the service can tell; `common`: visible to all; `staff`: for staff only.
 */
const checks: Record<SearchKind, { owned: OwnedKind } | 'service' | 'common' | 'staff'> = {
  transaction: { owned: 'transaction' },
  account: { owned: 'account' },
  customer: { owned: 'customer' },
  participant: { owned: 'participant' },
  payment: { owned: 'payment' },
  message: { owned: 'message' },
  custodian: 'common',
  asset: 'common',
  'chain transaction': 'common',
  delivery: 'service',
  endpoint: 'service',
  event: 'service',
  screening: 'service',
  user: 'service',
  wallet: 'service',
  request: 'staff',
}

/** The hits that a participant may see. Hits whose owner cannot be looked up are omitted. */
export async function ownHits(owners: Owners, participantId: string, hits: readonly Found[]): Promise<Found[]> {
  const isSeen = await Promise.all(hits.map((hit) => mayBeSeen(owners, participantId, hit)))
  return hits.filter((_, i) => isSeen[i])
}

async function mayBeSeen(owners: Owners, participantId: string, { kind, id }: Found): Promise<boolean> {
  const check = checks[kind]
  if (check === 'staff') return false
  if (typeof check === 'string') return true
  return await owners.isOwn({ participantId, custodianId: null }, check.owned, id).catch(() => false)
}
