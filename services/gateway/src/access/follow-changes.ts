import type { Call } from '@bursar/contracts/call'
import type { TSchema } from '@bursar/contracts/schema'
import { type Client, changesSince, type RecordOf } from '@bursar/http'

/** Follows the records of another service, in memory. */
export interface Following {
  /** Pulls new changes. Rejects with CallError. */
  pull(): Promise<void>
  /** True once all records were read. */
  isComplete(): boolean
}

/** The handlers of pulled records. */
export interface Follower<R> {
  /** A newer state of a record, or the same again. */
  take(record: R): void
  /** A new epoch of the owner, maybe restored: all its records follow. */
  begin?(): void
}

export function followChanges<A extends TSchema>(
  client: Client,
  changes: Call<TSchema, A>,
  { take, begin = () => {} }: Follower<RecordOf<A>>,
): Following {
  let place = { epoch: -1, after: 0 }
  let complete = false
  return {
    isComplete: () => complete,
    async pull() {
      let next = place
      for await (const page of changesSince(client, changes, place)) {
        if (page.begins) begin()
        for (const { record } of page.items) take(record)
        next = page.place
      }
      place = next
      complete = true
    },
  }
}
