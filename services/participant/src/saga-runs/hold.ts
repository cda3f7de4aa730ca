import type { Claimed, Store, Tx, WorkQueue } from '@bursar/store'
import type { SagaRow } from '../sagas/saga'

/**
 * A saga leased by this process. Its steps run in parallel and write one after another, because each write extends the
 * lease for the next one. All methods throw LeaseLostError without writing when the lease is lost.
 */
export interface Hold {
  /** Writes the progress of the saga. */
  commit(body: (tx: Tx) => Promise<unknown>): Promise<void>
  /** Writes the saga's end. */
  finish(body: (tx: Tx) => Promise<unknown>): Promise<void>
  /** Writes the end of an attempt that did not end the saga: the body reschedules it. */
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
