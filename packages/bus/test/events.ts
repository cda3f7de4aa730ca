import { type Envelope, event } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import { t } from '@bursar/contracts/schema'

const Payload = t.Object({ n: t.Integer() })

/** Has one consumer. */
export const Counted = event('bus-test.number.counted', Payload, { consumers: ['quote'] })
/** Has two. */
export const Shared = event('bus-test.number.shared', Payload, { consumers: ['quote', 'message'] })
/** Has none. */
export const Unconsumed = event('bus-test.number.unconsumed', Payload, { consumers: [] })

export const secret = new Uint8Array(32).fill(9)

/** For buses whose Redis is there: a busy machine keeps them waiting for longer than a service waits. */
export const patienceMs = 60_000

export function envelope(type: { name: string; type: string }, data: unknown): Envelope {
  return {
    id: Bun.randomUUIDv7(),
    name: type.name,
    type: type.type,
    timestamp: '2026-01-01T00:00:00.000Z',
    requestId: null,
    service: 'account',
    data,
  }
}

/** A handler that keeps what it gets. */
export function collector() {
  const seen: Envelope[] = []
  return { seen, handle: async (e: Envelope) => void seen.push(e) }
}

export interface Line {
  level: string
  fields: object
  message: string
}

/** A log that keeps its lines. */
export function keptLog(): Log & { lines: Line[] } {
  const lines: Line[] = []
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message })
  const log = { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: () => log }
  return log
}
