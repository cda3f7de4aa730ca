import { type Revocation, revocationChanges } from '@bursar/contracts/identity-manager'
import type { Client } from '@bursar/http'

/** The sessions that ended before their access tokens do. */
export interface Revocations {
  has(sessionId: string): boolean
  add(revocation: Pick<Revocation, 'id' | 'until'>): void
  /** Takes over what is new at the identity manager, and forgets what is over. Rejects with CallError. */
  pull(): Promise<void>
  /** True once the list was read as a whole: before, a token that was revoked would pass. */
  isComplete(): boolean
}

/** Versions that are pulled again each time: a commit may become visible after one with a higher version. */
const overlap = 200

export function createRevocations(client: Client, now: () => number = Date.now): Revocations {
  const untilOf = new Map<string, number>()
  let place = { epoch: -1, after: 0 }
  let complete = false

  const add: Revocations['add'] = ({ id, until }) => void untilOf.set(id, Date.parse(until))

  function forget() {
    for (const [id, until] of untilOf) if (until < now()) untilOf.delete(id)
  }

  async function pull() {
    let { epoch, after } = { ...place, after: Math.max(0, place.after - overlap) }
    for (;;) {
      const page = await client.call(revocationChanges, { query: { after: String(after) } })
      // Another run of the owner's database: its records are numbered anew.
      const isNew = page.epoch !== epoch
      epoch = page.epoch
      if (isNew && after > 0) {
        after = 0
        continue
      }
      for (const { record } of page.items) add(record)
      after = page.items.at(-1)?.version ?? after
      if (!page.more) break
    }
    place = { epoch, after: epoch === place.epoch ? Math.max(after, place.after) : after }
    complete = true
    forget()
  }

  return { has: (id) => untilOf.has(id), add, pull, isComplete: () => complete }
}
