import { type Checks, type Health, runChecks, type Waits } from '@bursar/http'
import type { LiveStream } from './stream/live-stream'

/**
 * The tracker's own form of GET /health (spec 3): `{status, checks: {database, messageQueue, websocket}, timestamp}`; with
 * `waiting`, and `degraded`, as elsewhere.
 */
export function trackerHealth(checks: Checks, waits: Waits, stream: LiveStream, now: () => Date): Health {
  const websocket = async () => {
    if (!stream.isOpen()) throw new Error('The stream has ended')
  }
  return {
    read: () => runChecks({ ...checks, websocket }, waits),
    body: ({ healthy, failures, waiting = [] }) => ({
      status: !healthy ? 'error' : waiting.length > 0 ? 'degraded' : 'ok',
      checks: {
        database: !('database' in failures),
        messageQueue: !('messageQueue' in failures),
        websocket: !('websocket' in failures),
      },
      timestamp: now().toISOString(),
      ...(waiting.length > 0 ? { waiting } : {}),
    }),
  }
}
