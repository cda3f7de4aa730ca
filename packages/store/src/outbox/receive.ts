import type { Envelope } from '@bursar/contracts/event'
import type { Store } from '../engine/store'
import { inbox } from '../schema'
import { param, prepared, rowsWritten, type Tx } from '../statements/statements'

interface Arrival {
  envelope: Envelope
  body: (tx: Tx) => Promise<void>
  resolve: (isNew: boolean) => void
  reject: (error: unknown) => void
}

interface Arrivals {
  waiting: Arrival[]
  /** Commits under way. */
  commits: number
}

/** Events that one commit takes, so that it does not hold the event loop for long. */
const mostTogether = 128
/** While one is synced the next one runs. */
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
export function receive(store: Store, envelope: Envelope, body: (tx: Tx) => Promise<void>): Promise<boolean> {
  const arrivals = arrivalsOf.get(store) ?? { waiting: [], commits: 0 }
  arrivalsOf.set(store, arrivals)
  return new Promise((resolve, reject) => {
    arrivals.waiting.push({ envelope, body, resolve, reject })
    // After the other events of its job.
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
async function receiveTogether(store: Store, arrivals: readonly Arrival[]): Promise<void> {
  const together = store.commit(async (tx) => {
    const outcomes: (() => void)[] = []
    for (const arrival of arrivals) {
      const isNew = await act(tx, arrival)
      outcomes.push(() => arrival.resolve(isNew))
    }
    return outcomes
  })
  const outcomes = await together.catch((error: unknown) => {
    const [only] = arrivals
    if (!only || arrivals.length > 1) return null
    return [() => only.reject(error)]
  })
  if (outcomes) for (const settle of outcomes) settle()
  else await Promise.all(arrivals.map((arrival) => receiveTogether(store, [arrival])))
}

const insertReceipt = prepared((db) =>
  db
    .insert(inbox)
    .values({ eventId: param('eventId'), receivedAt: param('receivedAt') })
    .onConflictDoNothing(),
)

/** False when it was acted on before. */
async function act(tx: Tx, { envelope, body }: Arrival): Promise<boolean> {
  const receipt: unknown = await insertReceipt(tx).execute({ eventId: envelope.id, receivedAt: new Date() })
  if (rowsWritten(receipt) === 0) return false
  await body(tx)
  return true
}
