import { type Revocation, revocationChanges } from '@bursar/contracts/identity-manager'
import type { Client } from '@bursar/http'
import { followChanges } from './follow-changes'

export type Revocations = ReturnType<typeof createRevocations>

/** How long they are kept after their end, for a clock that is ahead and is set right: the list does not repeat them. */
const keptMs = 24 * 60 * 60_000

/** Ended sessions whose access tokens have not expired. */
export function createRevocations(client: Client, now: () => number) {
  const untilOf = new Map<string, number>()
  const add = ({ id, until }: Pick<Revocation, 'id' | 'until'>) => void untilOf.set(id, Date.parse(until))
  const following = followChanges(client, revocationChanges, { take: add })

  function forget() {
    for (const [id, until] of untilOf) if (until + keptMs < now()) untilOf.delete(id)
  }

  return {
    has: (sessionId: string): boolean => untilOf.has(sessionId),
    add,
    /** True once the list was read completely: before that, a revoked token would pass. */
    isComplete: following.isComplete,
    /** Pulls new ones from the identity manager, and drops those that expired a day ago. Rejects with CallError. */
    async pull(): Promise<void> {
      await following.pull()
      forget()
    },
  }
}
