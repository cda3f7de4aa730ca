import { type Revocation, revocationChanges } from '@bursar/contracts/identity-manager'
import type { Client } from '@bursar/http'
import { followChanges } from './follow-changes'

/** Ended sessions whose access tokens have not expired. */
export interface Revocations {
  has(sessionId: string): boolean
  add(revocation: Pick<Revocation, 'id' | 'until'>): void
  /** Pulls new ones from the identity manager, and drops those that expired a day ago. Rejects with CallError. */
  pull(): Promise<void>
  /** True once the list was read completely: before that, a revoked token would pass. */
  isComplete(): boolean
}

/** How long they are kept after that, for a clock that is ahead and is set right: the list does not repeat them. */
const keptMs = 24 * 60 * 60_000

export function createRevocations(client: Client, now: () => number): Revocations {
  const untilOf = new Map<string, number>()
  const add: Revocations['add'] = ({ id, until }) => void untilOf.set(id, Date.parse(until))
  const following = followChanges(client, revocationChanges, { take: add })

  function forget() {
    for (const [id, until] of untilOf) if (until + keptMs < now()) untilOf.delete(id)
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
