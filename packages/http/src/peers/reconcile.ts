import type { Call } from '@bursar/contracts/call'
import type { Log } from '@bursar/contracts/log'
import type { ChangesPage } from '@bursar/contracts/replica'
import { every, type Loop, type Replica, replicaPlace, type Store, setReplicaPlace } from '@bursar/store'
import type { Static, TSchema } from '@sinclair/typebox'
import { CallError, type Client } from './client'

const everyMs = 60_000
/** Versions that are pulled again each time: a commit may become visible after one with a higher version. */
const overlap = 200

interface ReconcileDeps {
  store: Store
  client: Client
  log: Log
}

/** What is kept of whose records, and how. */
export interface Reconciliation<A extends TSchema, Row> {
  /** Asks the owner for what changed. */
  changes: Call<TSchema, A>
  replica: Replica<Row>
  /** The row that is kept of the owner's record. */
  toRow(record: RecordOf<A>, mark: { epoch: number; version: number }): Row
}
type RecordOf<A extends TSchema> = Static<A> extends ChangesPage<infer R> ? R : never

/**
 * Pulls what changed from the owner of a replica, at the start and every minute: what a lost event, an emptied broker or
 * a restored backup, on either side, has put wrong is right again a minute later. The owner is the authority. While it
 * cannot be reached the replica stays as it is.
 */
export const reconciling = <A extends TSchema, Row>(deps: ReconcileDeps, of: Reconciliation<A, Row>): Loop =>
  followPeer(deps, `The reconciliation of ${of.replica.kind} replicas`, () => reconcile(deps, of))

/**
 * Repeats what asks another service, at the start and every minute unless told. That it is away is worth a warning, once,
 * when two attempts have found it so: services that start together find each other away at first.
 */
export function followPeer(
  { log }: Pick<ReconcileDeps, 'log'>,
  name: string,
  work: () => Promise<unknown>,
  pauseMs = everyMs,
): Loop {
  let failures = 0
  const attempt = async () => {
    try {
      await work()
      if (failures > 1) log.info({}, `${name} goes on`)
      failures = 0
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      failures += 1
      if (failures === 2) log.warn({ peer: error.service, problem: error.message }, `${name} waits`)
    }
  }
  return every(pauseMs, attempt, { log, name, firstMs: 0 })
}

/** One pull to the end; answers how many records were restated. Rejects with CallError when the owner cannot be asked. */
export async function reconcile<A extends TSchema, Row>(
  { store, client }: Pick<ReconcileDeps, 'store' | 'client'>,
  { changes, replica, toRow }: Reconciliation<A, Row>,
): Promise<number> {
  const { kind } = replica
  const known = await replicaPlace(store.read, kind)
  let epoch = known.epoch
  let after = Math.max(0, known.after - overlap)
  let restated = 0
  for (;;) {
    const page = (await client.call(changes, { query: { after: String(after) } })) as ChangesPage<RecordOf<A>>
    // Another run of the owner's database: what it says from its first record on is what there is.
    if (page.epoch !== epoch) {
      epoch = page.epoch
      if (after > 0) {
        after = 0
        continue
      }
    }
    after = page.items.at(-1)?.version ?? after
    await store.commit(async (tx) => {
      for (const { record, version } of page.items) await replica.restate(tx, toRow(record, { epoch, version }))
      if (page.more) return
      if (epoch !== known.epoch) await replica.deleteUnstated(tx, epoch)
      const place = { epoch, after: Math.max(after, epoch === known.epoch ? known.after : 0) }
      if (place.epoch === known.epoch && place.after === known.after) return
      await setReplicaPlace(tx, { kind, ...place })
    })
    restated += page.items.length
    if (!page.more) return restated
  }
}
