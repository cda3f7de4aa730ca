import { NotDeliveredError } from './errors'

const rememberPublished = 5000

/** Those who wait for one event's delivery. */
export interface Waiters {
  wait(eventId: string, timeoutMs: number): Promise<void>
  /** A publish attempt begins; who waits now is told of its refusal. */
  attempt(): void
  published(eventIds: readonly string[]): void
  /** True when someone waits. */
  any(): boolean
  refused(eventIds: readonly string[], cause: unknown): void
  /** Tells all of them, and those who come later, that there will be no delivery. */
  stop(): void
}

interface Waiter {
  since: number
  settle(error?: Error): void
}

export function createWaiters(): Waiters {
  const waiting = new Map<string, Set<Waiter>>()
  const recent = new Set<string>()
  let attempts = 0
  let stopped = false

  function settle(eventId: string, error?: Error) {
    for (const waiter of waiting.get(eventId) ?? []) waiter.settle(error)
  }

  return {
    attempt() {
      attempts += 1
    },
    any: () => waiting.size > 0,
    wait(eventId, timeoutMs) {
      if (stopped) return Promise.reject(new NotDeliveredError('The relay has stopped'))
      if (recent.has(eventId)) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const others = waiting.get(eventId) ?? new Set()
        const waiter: Waiter = {
          since: attempts,
          settle(error) {
            clearTimeout(timer)
            others.delete(waiter)
            if (others.size === 0) waiting.delete(eventId)
            if (error) reject(error)
            else resolve()
          },
        }
        const late = () => waiter.settle(new NotDeliveredError(`The event was not delivered within ${timeoutMs} ms`))
        const timer = setTimeout(late, timeoutMs)
        others.add(waiter)
        waiting.set(eventId, others)
      })
    },
    published(eventIds) {
      for (const eventId of eventIds) {
        recent.add(eventId)
        if (waiting.size > 0) settle(eventId)
      }
      for (const eventId of recent) {
        if (recent.size <= rememberPublished) break
        recent.delete(eventId)
      }
    },
    refused(eventIds, cause) {
      if (waiting.size === 0) return
      const attempted = new Set(eventIds)
      // Events go out in order: who stands behind a refused batch is not served either.
      for (const [eventId, waiters] of waiting) {
        for (const waiter of waiters) {
          if (waiter.since < attempts || attempted.has(eventId)) {
            waiter.settle(new NotDeliveredError('The event could not be published', { cause }))
          }
        }
      }
    },
    stop() {
      stopped = true
      for (const eventId of waiting.keys()) settle(eventId, new NotDeliveredError('The relay has stopped'))
    },
  }
}
