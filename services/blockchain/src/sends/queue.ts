import {
  and,
  asc,
  type Claimed,
  type Db,
  desc,
  doubling,
  eq,
  gt,
  inArray,
  insertAll,
  isNotNull,
  isNull,
  lte,
  max,
  or,
  type Places,
  param,
  prepared,
  queryAmong,
  rowsOf,
  sql,
  type Tx,
  updateAll,
  waitingSince,
  workQueue,
} from '@bursar/store'
import { longestPauseMs } from './sends'
import { type SendRow, senders, sends } from './sends.table'

/** A sender whose queue is leased by one worker: its results are stored only while the lease is valid. */
export type Sender = Claimed<typeof senders.$inferSelect>

export const senderQueue = workQueue(senders, {
  id: 'id',
  lane: 'network',
  leaseMs: 15_000,
  backoff: doubling(1000, longestPauseMs),
})

/** Wakes the queues of the senders of sends. */
export async function callSenders(tx: Tx, rows: readonly Pick<SendRow, 'network' | 'sender'>[], now: Date) {
  const called = new Map(rows.map(({ network, sender }) => [`${network} ${sender}`, { network, address: sender }]))
  const ids = [...called.keys()]
  const known = new Set((await sendersById(tx, ids)).map(({ id }) => id))
  const fresh = [...called].filter(([id]) => !known.has(id))
  await insertSenders(
    tx,
    fresh.map(([id, of]) => ({ id, ...of, nextNonce: null, ...waitingSince(now) })),
  )
  await senderQueue.requestAll(tx, [...known], now)
}

/** Ends passes over the queues of senders: the next one of each is due with the first of its sends. */
export async function giveBack(tx: Tx, all: readonly Sender[]): Promise<void> {
  const next = new Map<string, Date | null>()
  for (const [network, some] of Map.groupBy(all, (sender) => sender.network)) {
    const addresses = some.map(({ address }) => address)
    const found = await firstDue(tx, addresses, { network })
    const first = new Map(found.map(({ sender, dueAt }) => [sender, dueAt]))
    for (const { id, address } of some) next.set(id, first.get(address) ?? null)
  }
  for (const [, alike] of Map.groupBy(all, ({ id }) => next.get(id)?.getTime() ?? null)) {
    await senderQueue.finish(tx, alike, { dueAt: next.get(alike[0]?.id ?? '') ?? null })
  }
}

/** The lowest unassigned nonce of the queue, and whether pending transactions known to the node count. */
export async function noncesOf(
  db: Db,
  { network, address, nextNonce }: Pick<Sender, 'network' | 'address' | 'nextNonce'>,
): Promise<{ nextNonce: number | null; isFirst: boolean }> {
  if (nextNonce !== null) return { nextNonce, isFirst: false }
  // Unset after a restore; sends that may be on the chain have nonces.
  const [row] = await highestOpen(db).execute({ network, address })
  return { nextNonce: row?.nonce == null ? null : row.nonce + 1, isFirst: true }
}

/** The highest nonce that an ended send of a queue has: its transaction is final. Null for none. */
export async function lastFinalNonce(db: Db, { network, address }: Pick<Sender, 'network' | 'address'>) {
  const [row] = await highestEnded(db).execute({ network, address })
  return row?.nonce ?? null
}

/** Sets the lowest unassigned nonces of senders. */
export const setNextNonces = updateAll(senders, 'id', ['nextNonce'])

/** Orders without an attempt, oldest first; also those postponed by a wrong clock beyond the longest pause. */
export const readAccepted = (
  db: Db,
  { network, address }: Sender,
  { now, limit }: { now: Date; limit: number },
): Promise<SendRow[]> =>
  acceptedSends(db).execute({ network, address, limit, now, furthest: new Date(now.getTime() + longestPauseMs) })

/** Orders that may be on the chain, in the order of their nonces; more than a node keeps for one sender. */
export const readOpen = (db: Db, { network, address }: Sender): Promise<SendRow[]> =>
  openSends(db).execute({ network, address })

const sendersById = rowsOf(senders, 'id')
const insertSenders = insertAll(senders)
const ofQueue = and(eq(sends.network, param('network')), eq(sends.sender, param('address')), isNotNull(sends.dueAt))
const earliest = sql<Date>`min(${sends.dueAt})`.mapWith(sends.dueAt)
/** Reads of a sender's queue, which touch only open sends. */
export const queueReads = {
  firstDue: (addresses: Places) => (db: Db) =>
    db
      .select({ sender: sends.sender, dueAt: earliest })
      .from(sends)
      .where(and(eq(sends.network, param('network')), inArray(sends.sender, addresses), isNotNull(sends.dueAt)))
      .groupBy(sends.sender),
  accepted: (db: Db) =>
    db
      .select()
      .from(sends)
      .where(
        and(
          ofQueue,
          eq(sends.status, 'accepted'),
          or(lte(sends.dueAt, param('now')), gt(sends.dueAt, param('furthest'))),
        ),
      )
      .orderBy(asc(sends.createdAt), asc(sends.id))
      .limit(param('limit')),
  open: (db: Db) =>
    db
      .select()
      .from(sends)
      .where(and(ofQueue, eq(sends.status, 'broadcast')))
      .orderBy(asc(sends.nonce), asc(sends.createdAt))
      .limit(500),
  highestOpen: (db: Db) =>
    db
      .select({ nonce: max(sends.nonce) })
      .from(sends)
      .where(and(ofQueue, eq(sends.status, 'broadcast'))),
}
const firstDue = queryAmong(queueReads.firstDue)
const acceptedSends = prepared(queueReads.accepted)
const openSends = prepared(queueReads.open)
const highestOpen = prepared(queueReads.highestOpen)
const highestEnded = prepared((db) =>
  db
    .select({ nonce: sends.nonce })
    .from(sends)
    .where(
      and(
        eq(sends.network, param('network')),
        eq(sends.sender, param('address')),
        isNull(sends.dueAt),
        isNotNull(sends.nonce),
      ),
    )
    .orderBy(desc(sends.nonce))
    .limit(1),
)
