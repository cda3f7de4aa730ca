import {
  and,
  asc,
  count,
  type Db,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  or,
  param,
  params,
  prepared,
  type Tx,
} from '@bursar/store'
import { longestPauseMs } from './retry'
import { type SendRow, senders, sends } from './sends.table'

/** A sender's queue, which one worker holds at a time. */
export interface Lease {
  network: string
  sender: string
  /** The worker that holds it. */
  by: string
  nextNonce: number | null
}

/** After a crash the queue waits for so long. What is prepared under a lease is written only while nobody else took it. */
const leaseMs = 15_000

/** A lease that ends later was taken while the clock was wrong; those of workers may differ by a minute. */
const longestLeaseMs = leaseMs + 60_000

/** What is due later than after the longest pause was put off while the clock was wrong, and is due now. */
const untilHorizon = (now: Date, longestMs: number) => ({ now, horizon: new Date(now.getTime() + longestMs) })

/** The senders of a network, whose usual pause this is, with something to look at. */
export async function dueSenders(db: Db, network: string, pollMs: number, now: Date): Promise<string[]> {
  const due = await sendersDue(db).execute({ network, ...untilHorizon(now, longestPauseMs(pollMs)) })
  return due.map(({ sender }) => sender)
}

/** The networks with this usual pause that have something to look at; of others some may be among them. */
export async function dueNetworks(db: Db, pollMs: number, now: Date): Promise<string[]> {
  const due = await networksDue(db).execute(untilHorizon(now, longestPauseMs(pollMs)))
  return due.map(({ network }) => network)
}

/** Takes a sender's queue; null when another worker has it. */
export async function claim(tx: Tx, network: string, sender: string, by: string, now: Date): Promise<Lease | null> {
  await insertSender(tx).execute({ network, address: sender, nextNonce: null, leasedBy: null, leasedUntil: null })
  const leasedUntil = new Date(now.getTime() + leaseMs)
  const [row] = await takeSender(tx).execute({
    network,
    address: sender,
    by,
    leasedUntil,
    ...untilHorizon(now, longestLeaseMs),
  })
  return row ? { network, sender, by, nextNonce: row.nextNonce } : null
}

/** Fails when the lease has gone to another worker: what was prepared under it is not to be written. */
export async function assertHeld(tx: Tx, { network, sender, by }: Lease): Promise<void> {
  const [row] = await holderOf(tx).execute({ network, address: sender })
  if (row?.leasedBy !== by) throw new Error(`The queue of ${sender} on ${network} has gone to another worker`)
}

/** The lowest nonce that the queue has not given away, and whether what others send by its address is asked for, too. */
export async function noncesOf(
  db: Db,
  { network, sender, nextNonce }: Lease,
): Promise<{ nextNonce: number | null; isFirst: boolean }> {
  if (nextNonce !== null) return { nextNonce, isFirst: false }
  // Forgotten after a restore; those that may be on the chain have theirs.
  const [row] = await highestOpen(db).execute({ network, sender })
  return { nextNonce: row?.nonce == null ? null : row.nonce + 1, isFirst: true }
}

export const setNextNonce = (tx: Tx, { network, sender }: Lease, nextNonce: number): Promise<unknown> =>
  updateNonce(tx).execute({ network, address: sender, nextNonce })

export const release = (tx: Tx, { network, sender, by }: Lease): Promise<unknown> =>
  freeSender(tx).execute({ network, address: sender, by })

/** Orders that wait for an attempt, oldest first. */
export const readAccepted = (
  db: Db,
  { network, sender }: Lease,
  { pollMs, now, limit }: { pollMs: number; now: Date; limit: number },
): Promise<SendRow[]> =>
  acceptedSends(db).execute({ network, sender, limit, ...untilHorizon(now, longestPauseMs(pollMs)) })

/** Orders that may be on the chain, in the order of their nonces. */
export const readOpen = (db: Db, { network, sender }: Lease, limit: number): Promise<SendRow[]> =>
  openSends(db).execute({ network, sender, limit })

/** How many orders are not settled. */
export async function countOpen(db: Db): Promise<number> {
  const [row] = await unsettled(db).execute()
  return row?.sends ?? 0
}

const isDue = or(lte(sends.dueAt, param('now')), gt(sends.dueAt, param('horizon')))
const ofSender = and(eq(senders.network, param('network')), eq(senders.address, param('address')))
const sendersDue = prepared((db) =>
  db
    .selectDistinct({ sender: sends.sender })
    .from(sends)
    .where(and(eq(sends.network, param('network')), isNotNull(sends.dueAt), isDue))
    .limit(200),
)
const networksDue = prepared((db) =>
  db
    .selectDistinct({ network: sends.network })
    .from(sends)
    .where(and(isNotNull(sends.dueAt), isDue)),
)
const insertSender = prepared((db) => db.insert(senders).values(params(senders)).onConflictDoNothing())
const takeSender = prepared((db) =>
  db
    .update(senders)
    .set({ leasedBy: param('by'), leasedUntil: param('leasedUntil') })
    .where(
      and(
        ofSender,
        or(
          isNull(senders.leasedUntil),
          lte(senders.leasedUntil, param('now')),
          gt(senders.leasedUntil, param('horizon')),
        ),
      ),
    )
    .returning({ nextNonce: senders.nextNonce }),
)
const holderOf = prepared((db) => db.select({ leasedBy: senders.leasedBy }).from(senders).where(ofSender))
const updateNonce = prepared((db) =>
  db
    .update(senders)
    .set({ nextNonce: param('nextNonce') })
    .where(ofSender),
)
const freeSender = prepared((db) =>
  db
    .update(senders)
    .set({ leasedBy: null, leasedUntil: null })
    .where(and(ofSender, eq(senders.leasedBy, param('by')))),
)
const ofQueue = and(eq(sends.network, param('network')), eq(sends.sender, param('sender')))
const acceptedSends = prepared((db) =>
  db
    .select()
    .from(sends)
    .where(and(ofQueue, eq(sends.status, 'accepted'), isDue))
    .orderBy(asc(sends.createdAt), asc(sends.id))
    .limit(param('limit')),
)
const openSends = prepared((db) =>
  db
    .select()
    .from(sends)
    .where(and(ofQueue, eq(sends.status, 'broadcast')))
    .orderBy(asc(sends.nonce), asc(sends.createdAt))
    .limit(param('limit')),
)
const highestOpen = prepared((db) =>
  db
    .select({ nonce: max(sends.nonce) })
    .from(sends)
    .where(and(ofQueue, eq(sends.status, 'broadcast'))),
)
const unsettled = prepared((db) =>
  db
    .select({ sends: count() })
    .from(sends)
    .where(inArray(sends.status, ['accepted', 'broadcast'])),
)
