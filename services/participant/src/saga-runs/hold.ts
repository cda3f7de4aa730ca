import type { Claimed, Store, Tx, WorkQueue } from '@bursar/store'
import type { SagaRow } from '../sagas/saga'

/**
 * A saga that this process has to itself. Its steps run side by side and write one after another, for each extends the lease
 * that the next one is held by. All throw LeaseLostError, and then write nothing.
 */
export interface Hold {
  /** Writes how far the saga has come. */
  commit(body: (tx: Tx) => Promise<unknown>): Promise<void>
  /** Writes the saga's end. */
  finish(body: (tx: Tx) => Promise<unknown>): Promise<void>
  /** Writes the end of an attempt that did not end the saga: the body gives it back to the queue. */
  giveBack(body: (tx: Tx, saga: Claimed<SagaRow>) => Promise<void>): Promise<void>
}

interface HoldDeps {
  store: Store
  queue: WorkQueue<SagaRow>
  now: () => Date
}

export function createHold({ store, queue, now }: HoldDeps, claimed: Claimed<SagaRow>): Hold {
  let saga = claimed
  let last: Promise<void> = Promise.resolve()

  function inTurn(write: () => Promise<void>): Promise<void> {
    last = last.then(write, write)
    return last
  }

  return {
    commit: (body) =>
      inTurn(async () => {
        const [extended] = await store.commit(async (tx) => {
          const held = await queue.extend(tx, [saga], now())
          await body(tx)
          return held
        })
        saga = extended ?? saga
      }),
    finish: (body) =>
      inTurn(() =>
        store.commit(async (tx) => {
          await queue.finish(tx, [saga])
          await body(tx)
        }),
      ),
    giveBack: (body) => inTurn(() => store.commit((tx) => body(tx, saga))),
  }
}
