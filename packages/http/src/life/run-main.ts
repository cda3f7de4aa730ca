import { messageOf } from '@bursar/contracts/log'
import { logSettled } from '../observe/log'
import type { RunningService } from './start-service'

/**
 * The life of a process of a service, or of several: starts it, stops it on SIGINT or SIGTERM (a second signal cuts it short), and ends
 * with 1 and one plain line when it cannot start; a defect has its stack there, because nothing else tells of it.
 */
export function runMain(start: () => Promise<Pick<RunningService, 'stop'>>): void {
  const fail = (error: unknown): never => {
    process.stderr.write(`${isDefect(error) ? error.stack : messageOf(error)}\n`)
    process.exit(1)
  }
  let signals = 0
  const running = Promise.resolve().then(start)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      signals += 1
      if (signals > 1) process.exit(130)
      running
        .then((service) => service.stop())
        .then(logSettled)
        .then(() => process.exit(0), fail)
    })
  }
  running.catch(fail)
}

/** What a mistake of ours throws, as against a setting or a disk that cannot be used. */
const isDefect = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
