import type { Call } from '@bursar/contracts/call'
import type { TSchema } from '@bursar/contracts/schema'
import { type Client, changesSince, createSingleFlight, type RecordOf } from '@bursar/http'

/** Follows the records of another service, in memory. */
interface Following {
  /**
   * Pulls new changes. Rejects with CallError. Those who pull at the same time share one pull: the slower of two would put
   * back what the other has seen changed.
   */
  pull(): Promise<void>
  /** True once all records were read. */
  isComplete(): boolean
}

/** The handlers of pulled records. */
export interface Follower<R> {
  /** A newer state of a record, or the same again. */
  take(record: R): void
  /**
   * All records of a new epoch of the owner, maybe restored: those that it has no more are dropped. Called once all were
   * taken; while they are read, and when that breaks off, the known state stays.
   */
  keepOnly?(records: readonly R[]): void
}

export function followChanges<A extends TSchema>(
  client: Client,
  changes: Call<TSchema, A>,
  { take, keepOnly = () => {} }: Follower<RecordOf<A>>,
): Following {
  let place = { epoch: -1, after: 0 }
  let complete = false
  const once = createSingleFlight<void>()

  async function pull(): Promise<void> {
    let next = place
    let all: RecordOf<A>[] | null = null
    for await (const page of changesSince(client, changes, place)) {
      if (page.begins) all = []
      for (const { record } of page.items) {
        take(record)
        all?.push(record)
      }
      next = page.place
    }
    if (all) keepOnly(all)
    place = next
    complete = true
  }

  return { isComplete: () => complete, pull: () => once('changes', pull) }
}
