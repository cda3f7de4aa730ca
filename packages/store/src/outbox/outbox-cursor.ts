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

/** The part of the outbox that this instance publishes. */
const ownOutbox = (store: OpenStore) => ({
  /**
   * At most `limit` events, and no more than fit, or one; the `seq` of the last, and which up to that it lacks; `isCut` when
   * there may be others.
   */
  async after(seq: number, limit: number) {
    const place = { seq, instance: store.instance }
    const sizes = await sizesAfter(store.read).execute({ ...place, limit })
    const fit = fitting(sizes, mostBytes, limit)
    // What is committed meanwhile was not measured, and is of the next page.
    const most = Math.min(fit, sizes.length)
    const page = most > 0 ? await rowsAfter(store.read).execute({ ...place, limit: most }) : []
    const upTo = page.at(-1)?.seq ?? seq
    return { page, upTo, isMissing: missingFrom(page, upTo), isCut: page.length === fit }
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

/** What the cursor needs to know about events. */
interface Told {
  isPublished: (seq: number) => boolean
  isKnown: (event: OutboxRow) => boolean
}

export type OutboxCursor = ReturnType<typeof outboxCursor>

/**
 * The relay's place in the outbox. What waits there is in the table alone; this keeps numbers. Events are read in `seq`
 * order, but nothing relies on commits having it too. `isPublished`
 * knows what was published shortly before: on a server an event may be read before its commit is answered here.
 *
 * What is not `isKnown` is passed over, and stays in the outbox.
 */
export function outboxCursor(store: OpenStore, { isPublished, isKnown }: Told) {
  const own = ownOutbox(store)
  /** All events up to this `seq` are published or in flight, but for late and awaited ones. */
  let place = 0
  /** The highest `seq` that was announced. */
  let newest = 0
  /** By `seq`: those that were committed after others with a higher one had been read. */
  let late: number[] = []
  const callers = eventsOfCallers()
  /** What `next` gave last, until its outcome is known. */
  let flight: { from: number; rows: readonly OutboxRow[]; found: number } | null = null
  let waiting = 0
  /** Those up to `place` that are not known. */
  let kept = 0
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
    // Events committed meanwhile may be counted twice or not at all; the count is exact again once all is published.
    if (isFirst) waiting = Math.max(0, (await own.count()) - callers.awaited())
    const { page, upTo, isMissing, isCut } = await own.after(place, limit)
    // Without what callers deliver, and with the late ones that were known before the page was read.
    const found = page.filter(({ seq }) => !callers.have(seq))
    found.push(...(await own.at(late.slice(0, known).filter(isMissing))))
    late = late.slice(known).filter(isMissing)
    // It was rewound meanwhile: the next page is the first again.
    if (!isCounted) return []
    const rows = found.filter(isKnown)
    flight = { from: place, rows, found: found.length }
    place = upTo
    more ||= isCut
    return rows
  }

  /** False while there is, or may be, something to read, or in flight. */
  const isEmpty = () => !more && !isReading && !flight

  return {
    isEmpty,
    next,
    /** Events that are committed but not published. */
    depth: () => waiting + kept + callers.awaited(),
    /** Those of them that were passed over. */
    kept: () => kept,
    /** To be called when events were committed. */
    announce(events: readonly OutboxEvent[]) {
      for (const { seq, isAwaited } of events) {
        newest = Math.max(newest, seq)
        if (isAwaited) callers.add(seq)
        else note(seq)
      }
    },
    /** To be called when the last result of `next` is published. */
    published() {
      waiting = more ? Math.max(0, waiting - (flight?.found ?? 0)) : 0
      kept += flight ? flight.found - flight.rows.length : 0
      flight = null
      callers.forgetUpTo(place)
    },
    /** To be called when the last result of `next` was refused: it is next again. */
    refused() {
      more = true
      if (flight) place = flight.from
      late.unshift(...(flight?.rows ?? []).map(({ seq }) => seq).filter((seq) => seq <= place))
      flight = null
    },
    /** The outcome of an awaited event; an `unpublished` one goes out with the others. */
    settle(seq: number, outcome: 'delivered' | 'deleted' | 'unpublished') {
      callers.settle(seq, outcome === 'delivered')
      if (outcome === 'unpublished') note(seq)
      // Where callers deliver all events the cursor reads nothing.
      if (isEmpty()) place = Math.max(place, newest)
      if (!flight) callers.forgetUpTo(place)
    },
    /** Starts again at the oldest event in the outbox. */
    rewind() {
      place = 0
      late = []
      callers.forgetUpTo(newest)
      flight = null
      kept = 0
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
