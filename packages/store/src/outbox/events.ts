import type { Envelope, EventType } from '@bursar/contracts/event'
import { isoTime } from '@bursar/contracts/iso-time'
import type { Static, TSchema } from '@sinclair/typebox'
import { asc, desc, eq } from 'drizzle-orm'
import { OutsideCommitError } from '../engine/errors'
import type { Store } from '../engine/store'
import { writerOf } from '../engine/writers'
import { inbox, outbox } from '../schema'
import { type Db, keyWritten, param, params, prepared, rowsWritten, type Tx } from '../statements/statements'

const insertEvent = prepared((db) => db.insert(outbox).values(params(outbox)))

/**
 * Puts an event into the outbox, in this transaction; the relay publishes it once that is committed.
 * The envelope carries a new UUID v7, the id of the request that called `commit`, and `at` as its time.
 */
export async function emit<S extends TSchema>(
  tx: Tx,
  event: EventType<S>,
  data: Static<S>,
  at = new Date(),
): Promise<Envelope<Static<S>>> {
  const writer = writerOf(tx)
  const attempt = writer?.current()
  if (!writer || !attempt) throw new OutsideCommitError(`${event.name} was emitted outside a commit`)
  const envelope: Envelope<Static<S>> = {
    id: Bun.randomUUIDv7(),
    name: event.name,
    type: event.type,
    timestamp: isoTime(at),
    requestId: attempt.requestId,
    service: writer.service,
    data,
  }
  const inserted: unknown = await insertEvent(tx).execute({
    eventId: envelope.id,
    name: envelope.name,
    envelope: JSON.stringify(envelope),
    createdAt: at,
  })
  attempt.events.push({ seq: keyWritten(inserted), envelope })
  return envelope
}

/** When the oldest event that is still in the outbox was made; null when it is empty. */
export async function oldestEventAt(db: Db): Promise<Date | null> {
  const [row] = await oldestEvent(db).execute()
  return row?.createdAt ?? null
}

const oldestEvent = prepared((db) =>
  db.select({ createdAt: outbox.createdAt }).from(outbox).orderBy(asc(outbox.seq)).limit(1),
)
const newestByEventId = prepared((db) =>
  db
    .select({ seq: outbox.seq })
    .from(outbox)
    .where(eq(outbox.eventId, param('eventId')))
    .orderBy(desc(outbox.seq))
    .limit(1),
)
const deleteBySeq = prepared((db) => db.delete(outbox).where(eq(outbox.seq, param('seq'))))

/**
 * Takes an event out of the outbox again, for a caller who takes back what it announced; `relay.withdraw` does the same
 * to the relay's memory. False when it is not there (any more).
 */
export async function unemit(tx: Tx, eventId: string): Promise<boolean> {
  // No index on the id: the event is among the newest, and the scan starts at that end.
  const [row] = await newestByEventId(tx).execute({ eventId })
  if (!row) return false
  await deleteBySeq(tx).execute({ seq: row.seq })
  return true
}

const insertReceipt = prepared((db) =>
  db
    .insert(inbox)
    .values({ eventId: param('eventId'), receivedAt: param('receivedAt') })
    .onConflictDoNothing(),
)

/**
 * Acts on an event exactly once, however often it is delivered: the receipt and what the body writes are one commit.
 * False, and the body is not run, when it was acted on before. Rejects with what the body throws, and may then be tried
 * again.
 */
export const receive = (store: Store, envelope: Envelope, body: (tx: Tx) => Promise<void>): Promise<boolean> =>
  store.commit(async (tx) => {
    const receipt: unknown = await insertReceipt(tx).execute({ eventId: envelope.id, receivedAt: new Date() })
    if (rowsWritten(receipt) === 0) return false
    await body(tx)
    return true
  })
