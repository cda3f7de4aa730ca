import type { Call } from '@bursar/contracts/call'
import type { Log } from '@bursar/contracts/log'
import type { ChangesPage } from '@bursar/contracts/replica'
import {
  every,
  type Loop,
  type OpenStore,
  type Replica,
  replicaPlace,
  type Store,
  setReplicaPlace,
} from '@bursar/store'
import type { Static, TSchema } from '@sinclair/typebox'
import { isCallError } from './call-error'
import type { Client } from './client'

const everyMs = 60_000

interface ReconcileDeps {
  store: OpenStore
  client: Client
  log: Log
}

/** A replica, its owner's changes call, and the conversion of records to rows. */
export interface Reconciliation<A extends TSchema, Row> {
  /** Asks the owner for what changed. */
  changes: Call<TSchema, A>
  replica: Replica<Row>
  /** The replica row of the owner's record. */
  toRow(record: RecordOf<A>, mark: { epoch: number; version: number }): Row
}
export type RecordOf<A extends TSchema> = Static<A> extends ChangesPage<infer R> ? R : never

/**
 * Pulls changes from the owner of a replica, at the start and every minute: after a lost event, an emptied broker or a
 * restored backup on either side, the replica is correct within a minute. The owner is the authority. While it is
 * unreachable the replica is unchanged.
 */
export const reconciling = <A extends TSchema, Row>(deps: ReconcileDeps, of: Reconciliation<A, Row>): Loop =>
  followPeer(deps, `The reconciliation of ${of.replica.kind} replicas`, (store) => reconcile({ ...deps, store }, of))

/**
 * Repeats a call to another service, at the start and then, by default, every minute, on one instance at a time. It warns once,
 * after two failed attempts: services that start together do not reach each other at first. Without a store each instance does
 * it: what it learns is kept in memory.
 */
export function followPeer(
  { store, log }: Pick<ReconcileDeps, 'log'> & Partial<Pick<ReconcileDeps, 'store'>>,
  name: string,
  work: (own: OpenStore) => Promise<unknown>,
  pauseMs = everyMs,
): Loop {
  let failures = 0
  const attempt = async (own: OpenStore) => {
    try {
      await work(own)
      if (failures > 1) log.info({}, `${name} goes on`)
      failures = 0
    } catch (error) {
      if (!isCallError(error)) throw error
      failures += 1
      if (failures === 2) log.warn({ err: error, peer: error.service, problem: error.message }, `${name} waits`)
    }
  }
  const options = { log, name, firstMs: 0 }
  return store
    ? every(pauseMs, attempt, { ...options, alone: store })
    : every(pauseMs, attempt as () => Promise<void>, options)
}

/** A page of an owner's changes since the last pull. */
interface ChangedPage<R> {
  items: readonly { record: R; version: number }[]
  epoch: number
  /** The place from which the next pull continues, once this page is stored. */
  place: Place
  /** Whether the place has moved. */
  isMoved: boolean
  /** Whether the owner's epoch is another than at the last pull: then these are all its records. */
  isOther: boolean
  /** Whether this is the first page of those. */
  begins: boolean
  more: boolean
}

interface Place {
  epoch: number
  after: number
}

/**
 * The pages of an owner's changes since the stored place of `kind`; the caller stores the next one. In a new epoch of
 * the owner: all its records. Rejects with CallError if the owner is unavailable.
 */
export async function* changedPages<A extends TSchema>(
  { store, client }: { store: Store; client: Client },
  kind: string,
  changes: Call<TSchema, A>,
): AsyncGenerator<ChangedPage<RecordOf<A>>> {
  yield* changesSince(client, changes, await replicaPlace(store.read, kind))
}

/** The same since a place that the caller stores itself. */
export async function* changesSince<A extends TSchema>(
  client: Client,
  changes: Call<TSchema, A>,
  known: Place,
): AsyncGenerator<ChangedPage<RecordOf<A>>> {
  let epoch = known.epoch
  let { after } = known
  let begins = true
  for (let more = true; more; ) {
    const page = (await client.call(changes, { query: { after: String(after) } })) as ChangesPage<RecordOf<A>>
    const isRestarted = page.epoch !== epoch
    if (isRestarted) begins = true
    epoch = page.epoch
    // A new epoch of the owner: pull from the first record.
    if (isRestarted && after > 0) {
      after = 0
      continue
    }
    more = page.more
    after = page.items.at(-1)?.version ?? after
    const isOther = epoch !== known.epoch
    const place = { epoch, after: isOther ? after : Math.max(after, known.after) }
    const isMoved = isOther || place.after !== known.after
    yield { items: page.items, epoch, place, isMoved, isOther, begins: isOther && begins, more }
    begins = false
  }
}

/** One complete pull; returns how many records were restated. Rejects with CallError if the owner is unavailable. */
export async function reconcile<A extends TSchema, Row>(
  deps: { store: Store; client: Client },
  { changes, replica, toRow }: Reconciliation<A, Row>,
): Promise<number> {
  const { kind } = replica
  let restated = 0
  for await (const { items, epoch, place, isMoved, isOther, more } of changedPages(deps, kind, changes)) {
    await deps.store.commit(async (tx) => {
      for (const { record, version } of items) await replica.restate(tx, toRow(record, { epoch, version }))
      if (more) return
      if (isOther) await replica.deleteUnstated(tx, epoch)
      if (isMoved) await setReplicaPlace(tx, { kind, ...place })
    })
    restated += items.length
  }
  return restated
}
