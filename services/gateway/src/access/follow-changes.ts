import type { Call } from '@bursar/contracts/call'
import type { ChangesPage } from '@bursar/contracts/replica'
import type { Static, TSchema } from '@bursar/contracts/schema'
import type { Client } from '@bursar/http'

type RecordOf<A extends TSchema> = Static<A> extends ChangesPage<infer R> ? R : never

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

/** Versions pulled again each time: a commit may become visible after one with a higher version. */
const overlap = 200

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
      let { epoch, after } = { ...place, after: Math.max(0, place.after - overlap) }
      for (;;) {
        const page = (await client.call(changes, { query: { after: String(after) } })) as ChangesPage<RecordOf<A>>
        const isNew = page.epoch !== epoch
        epoch = page.epoch
        if (isNew && after > 0) {
          after = 0
          continue
        }
        if (isNew) begin()
        for (const { record } of page.items) take(record)
        after = page.items.at(-1)?.version ?? after
        if (!page.more) break
      }
      place = { epoch, after: epoch === place.epoch ? Math.max(after, place.after) : after }
      complete = true
    },
  }
}
