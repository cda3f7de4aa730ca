import { type Checks, type Health, runChecks } from '@bursar/http'
import type { LiveStream } from './stream/live-stream'

/** The tracker's own form of GET /health (spec 3): `{status, checks: {database, messageQueue, websocket}, timestamp}`. */
export function trackerHealth(checks: Checks, stream: LiveStream, now: () => Date): Health {
  const websocket = async () => {
    if (!stream.isOpen()) throw new Error('The stream has ended')
  }
  return {
    read: () => runChecks({ ...checks, websocket }),
    body: ({ healthy, failures }) => ({
      status: healthy ? 'ok' : 'error',
      checks: {
        database: !('database' in failures),
        messageQueue: !('messageQueue' in failures),
        websocket: !('websocket' in failures),
      },
      timestamp: now().toISOString(),
    }),
  }
}
