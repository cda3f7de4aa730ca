import { AsyncLocalStorage } from 'node:async_hooks'
import type { Trace } from './trace-context'

/** Ids of one generation. Of work that goes on after its request, such as a withdrawal's, two generations are known. */
const mostFollowed = 5000
let newer = new Map<string, Trace>()
let older = new Map<string, Trace>()

/**
 * What this process does under this id from now on belongs to the trace: orders, sends and deliveries go on under the id of
 * what was asked for. Kept in memory alone: after a restart the rest of that work is not traced.
 */
export function followTrace(id: unknown, trace: Trace | null): void {
  if (!trace?.isSampled || typeof id !== 'string') return
  if (newer.size >= mostFollowed) {
    older = newer
    newer = new Map()
  }
  newer.set(id, trace)
}

/** The trace that an id belongs to; null for none. */
export const traceOf = (id: unknown): Trace | null =>
  typeof id === 'string' ? (newer.get(id) ?? older.get(id) ?? null) : null

const names = ['id', 'transactionId', 'requestId'] as const

/** By what a record is worked on later. */
export function idsIn(record: unknown): unknown[] {
  const fields = (typeof record === 'object' && record !== null ? record : {}) as Record<string, unknown>
  return names.map((name) => fields[name]).filter((id) => typeof id === 'string')
}

/** The trace that a record belongs to, by the first of its ids that is known. */
export function traceOfRecord(record: unknown): Trace | null {
  for (const id of idsIn(record)) {
    const trace = traceOf(id)
    if (trace) return trace
  }
  return null
}

/** For work without a request. */
const places = new AsyncLocalStorage<Trace>()

export const placeNow = (): Trace | null => places.getStore() ?? null

/** Runs work at a place of a trace. */
export const atPlace = <T>(trace: Trace, work: () => T): T => places.run(trace, work)
