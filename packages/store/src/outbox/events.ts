import type { Envelope, EventType } from '@bursar/contracts/event'
import { isoTime } from '@bursar/contracts/iso-time'
import type { Static, TSchema } from '@sinclair/typebox'
import { asc } from 'drizzle-orm'
import { OutsideCommitError } from '../engine/errors'
import type { Store } from '../engine/store'
import { type OutboxEvent, writerOf } from '../engine/writers'
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
  const { envelope } = await putOut(tx, event, data, at)
  return envelope as Envelope<Static<S>>
}

/**
 * As `emit`, for an event that the broker must have before the caller answers: once the commit has succeeded the caller
 * gives it to `relay.deliver`. Until then the relay leaves it alone; after a crash it publishes it as any other.
 */
export const emitAwaited = <S extends TSchema>(
  tx: Tx,
  event: EventType<S>,
  data: Static<S>,
  at: Date,
): Promise<OutboxEvent> => putOut(tx, event, data, at, true)

async function putOut(
  tx: Tx,
  event: Pick<EventType, 'name' | 'type'>,
  data: unknown,
  at: Date,
  isAwaited = false,
): Promise<OutboxEvent> {
  const writer = writerOf(tx)
  const attempt = writer?.current()
  if (!writer || !attempt) throw new OutsideCommitError(`${event.name} was emitted outside a commit`)
  const envelope: Envelope = {
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
  const stored = { seq: keyWritten(inserted), envelope, isAwaited }
  attempt.events.push(stored)
  return stored
}

/** When the oldest event that is still in the outbox was made; null when it is empty. */
export async function oldestEventAt(db: Db): Promise<Date | null> {
  const [row] = await oldestEvent(db).execute()
  return row?.createdAt ?? null
}

const oldestEvent = prepared((db) =>
  db.select({ createdAt: outbox.createdAt }).from(outbox).orderBy(asc(outbox.seq)).limit(1),
)
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
