import { NotDeliveredError } from '../engine/errors'

/** Callers that wait until an event is published. */
export interface Waiters {
  /** Rejects with NotDeliveredError. */
  wait(eventId: string, timeoutMs: number): Promise<void>
  /** The events that are waited for. */
  eventIds(): readonly string[]
  published(eventIds: readonly string[]): void
  refused(eventIds: readonly string[], cause: unknown): void
  /** Rejects all, and those who come later. */
  stop(): void
}

type Settle = (error?: Error) => void

export function createWaiters(): Waiters {
  const waiting = new Map<string, Set<Settle>>()
  let stopped = false

  function settle(eventIds: Iterable<string>, error?: Error) {
    if (waiting.size === 0) return
    for (const eventId of eventIds) {
      const waiters = waiting.get(eventId)
      waiting.delete(eventId)
      for (const waiter of waiters ?? []) waiter(error)
    }
  }

  function add(eventId: string, waiter: Settle) {
    const waiters = waiting.get(eventId) ?? new Set()
    waiting.set(eventId, waiters.add(waiter))
  }

  function remove(eventId: string, waiter: Settle) {
    const waiters = waiting.get(eventId)
    waiters?.delete(waiter)
    if (waiters?.size === 0) waiting.delete(eventId)
  }

  return {
    eventIds: () => [...waiting.keys()],
    wait(eventId, timeoutMs) {
      if (stopped) return Promise.reject(new NotDeliveredError('The relay has stopped'))
      return new Promise((resolve, reject) => {
        const waiter: Settle = (error) => {
          clearTimeout(timer)
          if (error) reject(error)
          else resolve()
        }
        const timer = setTimeout(() => {
          remove(eventId, waiter)
          reject(new NotDeliveredError(`The event was not delivered within ${timeoutMs} ms`))
        }, timeoutMs)
        add(eventId, waiter)
      })
    },
    published: (eventIds) => settle(eventIds),
    refused: (eventIds, cause) =>
      settle(eventIds, new NotDeliveredError('The event could not be published', { cause })),
    stop() {
      stopped = true
      settle([...waiting.keys()], new NotDeliveredError('The relay has stopped'))
    },
  }
}
