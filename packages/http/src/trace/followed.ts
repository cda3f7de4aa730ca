import { AsyncLocalStorage } from 'node:async_hooks'
import type { Trace } from './trace-context'

/** Ids per generation. Two generations are known of work that continues after its request, such as a withdrawal's. */
const mostFollowed = 5000
let newer = new Map<string, Trace>()
let older = new Map<string, Trace>()

/**
 * From now on, what this process does under this id belongs to the trace: orders, sends and deliveries continue under
 * the id of their cause. In memory only: after a restart the rest of that work is not traced.
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

/** The ids under which later work on a record runs. */
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

/** Runs work in a trace context. */
export const atPlace = <T>(trace: Trace, work: () => T): T => places.run(trace, work)
