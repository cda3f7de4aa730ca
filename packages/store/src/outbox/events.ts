import type { Envelope, EventType } from '@bursar/contracts/event'
import { isoTime } from '@bursar/contracts/iso-time'
import type { Static, TSchema } from '@sinclair/typebox'
import { asc } from 'drizzle-orm'
import { OutsideCommitError } from '../engine/errors'
import { type OutboxEvent, writerOf } from '../engine/writers'
import { newId } from '../lists/ids'
import { outbox } from '../schema'
import { insertKeyed } from '../statements/row-batches'
import { type Db, prepared, type Tx } from '../statements/statements'

const insertEvents = insertKeyed(outbox)

/**
 * Puts an event into the outbox, in this transaction; the relay publishes it after the commit. The envelope carries a
 * new UUID v7, the id of the request that called `commit`, and `at` as its time.
 */
export async function emit<S extends TSchema>(
  tx: Tx,
  event: EventType<S>,
  data: Static<S>,
  at = new Date(),
): Promise<Envelope<Static<S>>> {
  const [stored] = await putOut(tx, event, [{ data, at }])
  return (stored as OutboxEvent).envelope as Envelope<Static<S>>
}

/** As `emit`, for several events; each may name its own request. */
export async function emitAll<S extends TSchema>(
  tx: Tx,
  event: EventType<S>,
  items: readonly NewEvent<Static<S>>[],
): Promise<void> {
  if (items.length > 0) await putOut(tx, event, items)
}

/** The data of an event, and its time. */
interface NewEvent<D> {
  data: D
  at: Date
  requestId?: string | null | undefined
}

/**
 * As `emit`, for an event that the broker must have before the caller answers: after the commit the caller passes it to
 * `relay.deliver`. Until then the relay leaves it alone; after a crash it publishes it like any other.
 */
export async function emitAwaited<S extends TSchema>(
  tx: Tx,
  event: EventType<S>,
  data: Static<S>,
  at: Date,
): Promise<OutboxEvent> {
  const [stored] = await putOut(tx, event, [{ data, at }], true)
  return stored as OutboxEvent
}

async function putOut(
  tx: Tx,
  event: Pick<EventType, 'name' | 'type'>,
  items: readonly NewEvent<unknown>[],
  isAwaited = false,
): Promise<OutboxEvent[]> {
  const writer = writerOf(tx)
  const attempt = writer?.current()
  if (!writer || !attempt) throw new OutsideCommitError(`${event.name} was emitted outside a commit`)
  const envelopes = items.map(({ data, at, requestId = attempt.requestId }): Envelope => {
    const traceparent = writer.traceparent(data, requestId)
    return {
      id: newId(),
      name: event.name,
      type: event.type,
      timestamp: isoTime(at),
      requestId,
      service: writer.service,
      ...(traceparent !== null && { traceparent }),
      data,
    }
  })
  const seqs = await insertEvents(
    tx,
    envelopes.map((envelope, i) => ({
      eventId: envelope.id,
      name: envelope.name,
      envelope: JSON.stringify(envelope),
      createdAt: (items[i] as NewEvent<unknown>).at,
      instance: writer.instance,
    })),
  )
  const stored = envelopes.map((envelope, i): OutboxEvent => ({ seq: seqs[i] as number, envelope, isAwaited }))
  attempt.events.push(...stored)
  return stored
}

/** The time of the oldest event in the outbox; null if it is empty. */
export async function oldestEventAt(db: Db): Promise<Date | null> {
  const [row] = await oldestEvent(db).execute()
  return row?.createdAt ?? null
}

const oldestEvent = prepared((db) =>
  db.select({ createdAt: outbox.createdAt }).from(outbox).orderBy(asc(outbox.seq)).limit(1),
)
