import type { LogWording } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import type { ServiceName } from '@bursar/contracts/services'
import { every, type OpenStore } from '@bursar/store'
import type { AppError } from '../errors/errors'
import { currentRequestId } from '../request/context'
import type { Health } from './health'
import { recordLog } from './tracking'

const checkMs = 10_000
/** A service that fails at every request must not flood the tracker. */
const mostFailuresPerCheck = 20

/** Sends the log tracker lines about a service: started, stopped, health lost and regained, unexpected errors. */
export function startWatch({
  name,
  store,
  log,
  health,
  now,
}: {
  name: ServiceName
  store: OpenStore
  log: Log
  health: Health
  now: () => Date
}) {
  /** Correlates the lines of one run of the service that no request caused. */
  const run = `run-${Bun.randomUUIDv7()}`
  let healthy = true
  let unreadable: readonly string[] = []
  let failuresLeft = mostFailuresPerCheck

  const record = (wording: LogWording, requestId = run): Promise<void> =>
    store
      .commit((tx) => recordLog(tx, { ...wording, service: name, requestId, at: now() }))
      .catch((error: unknown) =>
        log.error({ err: error, event_type: wording.event_type }, 'not recorded in the log tracker'),
      )

  async function check() {
    failuresLeft = mostFailuresPerCheck
    const { healthy: isHealthy, failures, unread = {} } = await health.read()
    tellUnread(unread)
    if (isHealthy === healthy) return
    healthy = isHealthy
    log[healthy ? 'info' : 'warn']({ failures }, healthy ? 'healthy again' : 'not healthy')
    const metadata = { failures: inSnakeCase(failures) }
    await record({ event_type: 'HEALTH_CHECK', status: healthy ? 'SUCCESS' : 'FAILURE', metadata })
  }

  /** The reason stands here alone: health, which is public, has none. */
  function tellUnread(unread: Readonly<Record<string, unknown>>) {
    for (const [what, err] of Object.entries(unread))
      if (!unreadable.includes(what)) log.error({ err, what }, 'Whether something waits for a person cannot be read')
    unreadable = Object.keys(unread)
  }

  const checks = every(checkMs, check, { log, name: 'The health check' })

  return {
    started: (url: string) => record({ event_type: 'SERVICE_STARTED', status: 'SUCCESS', metadata: { url } }),
    /** A 500 was answered. Its cause stays in the log, because it may contain confidential data. */
    failed: (error: AppError): void => {
      if (failuresLeft-- <= 0) return
      const metadata = { code: error.code, message: error.message }
      void record({ event_type: 'ERROR_OCCURRED', status: 'FAILURE', metadata }, currentRequestId() ?? run)
    },
    stop: async () => {
      await checks.stop()
      await record({ event_type: 'SERVICE_STOPPED', status: 'SUCCESS', metadata: {} })
    },
  }
}

/** In the form of all names in the tracker's metadata: `message_queue`. */
export const inSnakeCase = (record: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
