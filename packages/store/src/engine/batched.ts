import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from '../statements/statements'
import { isInBody } from './commit-batch'
import { NestedCommitError, UnknownOutcomeError } from './errors'
import type { Store } from './store'

/** The most items of one batch, so that it does not hold the event loop for long. */
const mostTogether = 256

interface Waiting<I, O> {
  readonly item: I
  /** Runs something in the caller's asynchronous context. */
  readonly within: <R>(run: () => R) => R
  readonly resolve: (result: O) => void
  readonly reject: (error: unknown) => void
}

interface Batch<I, O> {
  readonly items: Waiting<I, O>[]
  /** The keys of the items. */
  readonly keys: Set<string>
}

/**
 * Declares a body that commits a batch: items that are given before it runs share one run of it, so that it reads and
 * writes them by one statement. It gives a result for each, in their order. Where it throws, each item is committed by a
 * run of its own: one that fails takes no other with it; where nobody knows whether it was committed, all are rejected.
 * `keyOf` says what an item is about; no two of a batch are about the same, where there is one.
 *
 *     const keepParts = batched(({ id }: Part) => id, async (tx, parts) => { await insertParts(tx, parts); return parts })
 *     const part = await keepParts(store, { … })
 *
 * The body runs as the request of whoever came first: events that it emits name their own.
 */
export function batched<I, O>(
  keyOf: ((item: I) => string) | null,
  body: (tx: Tx, items: readonly I[]) => Promise<readonly O[]>,
): (store: Store, item: I) => Promise<O> {
  const open = new WeakMap<Store, Batch<I, O>>()

  return (store, item) =>
    new Promise((resolve, reject) => {
      // A batch would wait for itself.
      if (isInBody()) throw new NestedCommitError('A batch was added to inside a commit')
      const key = keyOf?.(item)
      const waiting = { item, within: AsyncLocalStorage.snapshot(), resolve, reject }
      let batch = open.get(store)
      const isNew = !batch || batch.items.length >= mostTogether || (key !== undefined && batch.keys.has(key))
      if (!batch || isNew) batch = { items: [], keys: new Set() }
      batch.items.push(waiting)
      if (key !== undefined) batch.keys.add(key)
      if (isNew) void commitTogether(store, batch)
    })

  /** Never rejects. */
  async function commitTogether(store: Store, batch: Batch<I, O>): Promise<void> {
    open.set(store, batch)
    const close = () => {
      if (open.get(store) === batch) open.delete(store)
    }
    const body = (tx: Tx) => {
      close()
      return run(tx, batch.items)
    }
    try {
      const results = await store.commit(body, undefined, { callers: () => batch.items.length })
      batch.items.forEach(({ resolve }, i) => {
        resolve(results[i] as O)
      })
    } catch (error) {
      close()
      // Never retried after an unknown outcome: it may have been written.
      const isOver = batch.items.length === 1 || error instanceof UnknownOutcomeError
      for (const each of batch.items) {
        if (isOver) each.reject(error)
        else commitAlone(store, each)
      }
    }
  }

  function commitAlone(store: Store, waiting: Waiting<I, O>): void {
    const result = waiting.within(() => store.commit(async (tx) => (await run(tx, [waiting]))[0] as O))
    result.then(waiting.resolve, waiting.reject)
  }

  async function run(tx: Tx, batch: readonly Waiting<I, O>[]): Promise<readonly O[]> {
    const results = await body(
      tx,
      batch.map(({ item }) => item),
    )
    if (results.length !== batch.length)
      throw new Error(`A body gave ${results.length} results for ${batch.length} items`)
    return results
  }
}
