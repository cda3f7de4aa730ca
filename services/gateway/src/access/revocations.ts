import { type Revocation, revocationChanges } from '@bursar/contracts/identity-manager'
import type { Client } from '@bursar/http'
import { followChanges } from './follow-changes'

/** The sessions that ended before their access tokens do. */
export interface Revocations {
  has(sessionId: string): boolean
  add(revocation: Pick<Revocation, 'id' | 'until'>): void
  /** Takes over what is new at the identity manager, and forgets what is over. Rejects with CallError. */
  pull(): Promise<void>
  /** True once the list was read as a whole: before, a token that was revoked would pass. */
  isComplete(): boolean
}

export function createRevocations(client: Client, now: () => number = Date.now): Revocations {
  const untilOf = new Map<string, number>()
  const add: Revocations['add'] = ({ id, until }) => void untilOf.set(id, Date.parse(until))
  const following = followChanges(client, revocationChanges, { take: add })

  function forget() {
    for (const [id, until] of untilOf) if (until < now()) untilOf.delete(id)
  }

  return {
    has: (id) => untilOf.has(id),
    add,
    isComplete: following.isComplete,
    async pull() {
      await following.pull()
      forget()
    },
  }
}
