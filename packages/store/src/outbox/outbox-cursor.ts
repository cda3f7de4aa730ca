import type { EventText } from '@bursar/contracts/event'
import { and, asc, count, eq, gt } from 'drizzle-orm'
import type { OpenStore } from '../engine/open-store'
import type { OutboxEvent } from '../engine/writers'
import { bytesOf, fitting } from '../lists/row-bytes'
import { outbox } from '../schema'
import { param, prepared } from '../statements/statements'
import { isOwn } from './instances'

/** An event of the outbox. */
export interface OutboxRow extends EventText {
  seq: number
}

const columns = { seq: outbox.seq, id: outbox.eventId, name: outbox.name, text: outbox.envelope }
const isAfter = and(gt(outbox.seq, param('seq')), isOwn)
const rowsAfter = prepared((db) =>
  db.select(columns).from(outbox).where(isAfter).orderBy(asc(outbox.seq)).limit(param('limit')),
)
const sizesAfter = prepared((db) =>
  db
    .select({ bytes: bytesOf(outbox.envelope) })
    .from(outbox)
    .where(isAfter)
    .orderBy(asc(outbox.seq))
    .limit(param('limit')),
)
const rowOf = prepared((db) =>
  db
    .select(columns)
    .from(outbox)
    .where(and(eq(outbox.seq, param('seq')), isOwn)),
)
const rowCount = prepared((db) => db.select({ rows: count() }).from(outbox).where(isOwn))

/** Of the events of one publish: more would take longer than the broker may, each time again, and hold the event loop. */
const mostBytes = 2 * 1024 * 1024

/** What this instance publishes. */
const ownOutbox = (store: OpenStore) => ({
  /** At most `limit` events, and no more than fit, or one; `isCut` when there may be others. */
  async after(seq: number, limit: number) {
    const place = { seq, instance: store.instance }
    const fit = fitting(await sizesAfter(store.read).execute({ ...place, limit }), mostBytes, limit)
    const page = await rowsAfter(store.read).execute({ ...place, limit: fit })
    return { page, isCut: page.length === fit }
  },
  count: async () => (await rowCount(store.read).execute({ instance: store.instance }))[0]?.rows ?? 0,
  async at(seqs: readonly number[]) {
    const rows: OutboxRow[] = []
    for (const seq of seqs) rows.push(...(await rowOf(store.read).execute({ seq, instance: store.instance })))
    return rows
  },
})

function missingFrom(page: readonly OutboxRow[], upTo: number): (seq: number) => boolean {
  const inPage = new Set(page.map(({ seq }) => seq))
  return (seq) => seq <= upTo && !inPage.has(seq)
}

export type OutboxCursor = ReturnType<typeof outboxCursor>

/**
 * The relay's place in the outbox. What waits there is in the table alone; this keeps numbers. Events are read in `seq`
 * order, but nothing relies on commits having it too. `isPublished`
 * knows what was published shortly before: on a server an event may be read before its commit is answered here.
 */
export function outboxCursor(store: OpenStore, isPublished: (seq: number) => boolean = () => false) {
  const own = ownOutbox(store)
  /** All events up to this `seq` are published or in flight, but for late and awaited ones. */
  let place = 0
  /** The highest `seq` that was announced. */
  let newest = 0
  /** By `seq`: those that were committed after others with a higher one had been read. */
  let late: number[] = []
  const callers = eventsOfCallers()
  /** What `next` gave last, until its outcome is known. */
  let flight: { from: number; rows: readonly OutboxRow[] } | null = null
  let waiting = 0
  let isCounted = false
  let isReading = false
  let more = true

  function note(seq: number) {
    if (seq <= place && (isPublished(seq) || flight?.rows.some((row) => row.seq === seq))) return
    waiting += 1
    more = true
    if (isReading || seq <= place) late.push(seq)
  }

  /** The next events, at most `limit` and a few late ones. The cursor moves behind them. */
  async function next(limit: number): Promise<readonly OutboxRow[]> {
    more = false
    isReading = true
    return await read(limit).finally(() => {
      isReading = false
    })
  }

  async function read(limit: number): Promise<readonly OutboxRow[]> {
    const known = late.length
    const isFirst = !isCounted
    isCounted = true
    // Commits made meanwhile may be counted twice or not at all; the count is exact again once all is published.
    if (isFirst) waiting = Math.max(0, (await own.count()) - callers.awaited())
    const { page, isCut } = await own.after(place, limit)
    const upTo = page.at(-1)?.seq ?? place
    const rows = late.length > 0 || callers.any() ? await withLate(page, upTo, known) : page
    // Rewound meanwhile: the next page is the first again.
    if (!isCounted) return []
    flight = { from: place, rows }
    place = upTo
    if (isCut) more = true
    return rows
  }

  /** The page without what callers deliver, and with the late ones that were known before it was read. */
  async function withLate(page: OutboxRow[], upTo: number, known: number): Promise<OutboxRow[]> {
    const isMissing = missingFrom(page, upTo)
    const rows = page.filter(({ seq }) => !callers.have(seq))
    rows.push(...(await own.at(late.slice(0, known).filter(isMissing))))
    late = late.slice(known).filter(isMissing)
    return rows
  }

  /** False while there is, or may be, something to read, or in flight. */
  const isEmpty = () => !more && !isReading && !flight

  return {
    isEmpty,
    next,
    /** Events that are committed but not published. */
    depth: () => waiting + callers.awaited(),
    /** Events were committed just now. */
    announce(events: readonly OutboxEvent[]) {
      for (const { seq, isAwaited } of events) {
        newest = Math.max(newest, seq)
        if (isAwaited) callers.add(seq)
        else note(seq)
      }
    },
    /** What `next` gave is published. */
    published() {
      waiting = more ? Math.max(0, waiting - (flight?.rows.length ?? 0)) : 0
      flight = null
      callers.forgetUpTo(place)
    },
    /** What `next` gave was refused, and is next again. */
    refused() {
      more = true
      if (flight) place = flight.from
      late.unshift(...(flight?.rows ?? []).map(({ seq }) => seq).filter((seq) => seq <= place))
      flight = null
    },
    /** What became of an awaited event; one that is `unpublished` goes out with the others. */
    settle(seq: number, outcome: 'delivered' | 'deleted' | 'unpublished') {
      callers.settle(seq, outcome === 'delivered')
      if (outcome === 'unpublished') note(seq)
      // Where callers deliver all events the cursor reads nothing.
      if (isEmpty()) place = Math.max(place, newest)
      if (!flight) callers.forgetUpTo(place)
    },
    /** Starts again at the oldest event that still stands in the outbox. */
    rewind() {
      place = 0
      late = []
      callers.forgetUpTo(newest)
      flight = null
      isCounted = false
      more = true
    },
  }
}

/** By `seq`: what callers deliver, and what they have delivered and the cursor may still read. */
function eventsOfCallers() {
  const awaited = new Set<number>()
  const delivered = new Set<number>()
  return {
    any: () => awaited.size + delivered.size > 0,
    have: (seq: number) => awaited.has(seq) || delivered.has(seq),
    awaited: () => awaited.size,
    add: (seq: number) => void awaited.add(seq),
    settle(seq: number, isDelivered: boolean) {
      awaited.delete(seq)
      if (isDelivered) delivered.add(seq)
    },
    /** Delivered ones that the cursor has passed. */
    forgetUpTo(place: number) {
      for (const seq of delivered) if (seq <= place) delivered.delete(seq)
    },
  }
}
