import type { Envelope } from '@bursar/contracts/event'
import type { Store } from '../engine/store'
import { inbox } from '../schema'
import { insertAll, insertMissing, rowsOf } from '../statements/row-batches'
import type { Tx } from '../statements/statements'

/** Acts on events, in one commit; gives a result for each, in their order. */
type Act<R> = (tx: Tx, envelopes: readonly Envelope[]) => Promise<readonly R[]>

interface Arrival<R = unknown> {
  envelope: Envelope
  /** The key of what it is about. */
  key: string
  act: Act<R>
  resolve: (outcome: Received<R>) => void
  reject: (error: unknown) => void
}

/** The result for an event; null if it was acted on before. */
type Received<R> = { result: R } | null

interface Arrivals {
  waiting: Arrival[]
  /** Commits under way. */
  commits: number
}

/** Events per commit: few, so that it does not hold the event loop for long. */
const mostTogether = 128
/** One commit is synced while the next one runs. */
const mostCommits = 2

const arrivalsOf = new WeakMap<Store, Arrivals>()

/**
 * Acts on an event exactly once, however often it is delivered: the receipt and what the body writes are one commit.
 * False, and the body is not run, when it was acted on before. Rejects with what the body throws, and may then be tried
 * again.
 *
 * Events that arrive together share a commit. When a body throws, each of them gets a commit of its own: one that fails
 * neither blocks nor undoes the others.
 */
export async function receive(store: Store, envelope: Envelope, body: (tx: Tx) => Promise<void>): Promise<boolean> {
  return (await arrive(store, { envelope, key: '', act: async (tx) => [await body(tx)] })) !== null
}

/**
 * As `receive`, for events that are acted on together: the body gets those that arrive one after another, none of which
 * was acted on before, and gives a result for each. `keyOf` says what an event is about; it never gets two about the
 * same.
 */
export const receiveAll =
  <R>(
    store: Store,
    keyOf: (envelope: Envelope) => string,
    act: Act<R>,
  ): ((envelope: Envelope) => Promise<Received<R>>) =>
  (envelope) =>
    arrive(store, { envelope, key: keyOf(envelope), act })

function arrive<R>(store: Store, arrival: Pick<Arrival<R>, 'envelope' | 'key' | 'act'>): Promise<Received<R>> {
  const arrivals = arrivalsOf.getOrInsertComputed(store, () => ({ waiting: [], commits: 0 }))
  return new Promise((resolve, reject) => {
    arrivals.waiting.push({ ...arrival, resolve, reject } as Arrival)
    // Deferred, so that the other events of its job join.
    if (arrivals.waiting.length === 1) queueMicrotask(() => commitNext(store, arrivals))
  })
}

function commitNext(store: Store, arrivals: Arrivals): void {
  while (arrivals.waiting.length > 0 && arrivals.commits < mostCommits) {
    arrivals.commits += 1
    void receiveTogether(store, arrivals.waiting.splice(0, mostTogether)).then(() => {
      arrivals.commits -= 1
      commitNext(store, arrivals)
    })
  }
}

/** Never rejects. */
async function receiveTogether(store: Store, arrivals: readonly Arrival[], note = noteAll): Promise<void> {
  try {
    const outcomes = await store.commit(async (tx) => await actOn(tx, await note(tx, arrivals)))
    for (const arrival of arrivals) arrival.resolve(outcomes.get(arrival) ?? null)
  } catch (error) {
    if (error instanceof RepeatError) await receiveTogether(store, arrivals, noteNew)
    else if (arrivals.length === 1) arrivals[0]?.reject(error)
    else await Promise.all(arrivals.map((arrival) => receiveTogether(store, [arrival])))
  }
}

/** Acts on these events, in order. */
async function actOn(tx: Tx, arrivals: readonly Arrival[]): Promise<Map<Arrival, { result: unknown }>> {
  const outcomes = new Map<Arrival, { result: unknown }>()
  for (const batch of inRuns(arrivals)) {
    const results = await batch[0]?.act(
      tx,
      batch.map(({ envelope }) => envelope),
    )
    if (results?.length !== batch.length) throw new Error(`${results?.length} results for ${batch.length} events`)
    for (const [i, arrival] of batch.entries()) outcomes.set(arrival, { result: results[i] })
  }
  return outcomes
}

/** Groups of consecutive events that one call handles. */
function inRuns(arrivals: readonly Arrival[]): Arrival[][] {
  const runs: Arrival[][] = []
  const keys = new Set<string>()
  for (const arrival of arrivals) {
    const run = runs.at(-1)
    if (run?.[0]?.act === arrival.act && !keys.has(arrival.key)) run.push(arrival)
    else {
      keys.clear()
      runs.push([arrival])
    }
    keys.add(arrival.key)
  }
  return runs
}

/** An event among them has a receipt; which one, only a look tells. */
class RepeatError extends Error {
  override name = 'RepeatError'
}

/** Stores the receipts of events that are all new, as they mostly are: to look first takes as long as to store. */
async function noteAll(tx: Tx, arrivals: readonly Arrival[]): Promise<readonly Arrival[]> {
  if ((await insertMissingReceipts(tx, arrivals.map(receiptOf))) < arrivals.length) throw new RepeatError()
  return arrivals
}

/** Stores the receipts; returns the events that had none. */
async function noteNew(tx: Tx, arrivals: readonly Arrival[]): Promise<readonly Arrival[]> {
  const ids = arrivals.map(({ envelope }) => envelope.id)
  const seen = new Set((await receiptsOf(tx, ids)).map(({ eventId }) => eventId))
  const fresh = arrivals.filter(({ envelope }) => !seen.has(envelope.id) && seen.add(envelope.id))
  await insertReceipts(tx, fresh.map(receiptOf))
  return fresh
}

const receiptOf = ({ envelope }: Arrival) => ({ eventId: envelope.id, receivedAt: new Date() })

const receiptsOf = rowsOf(inbox, 'eventId')
const insertReceipts = insertAll(inbox)
const insertMissingReceipts = insertMissing(inbox)
