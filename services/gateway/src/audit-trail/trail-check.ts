import type { Log } from '@bursar/contracts/log'
import type { Metrics } from '@bursar/http'
import { every, type Store, type Worker } from '@bursar/store'
import type { AuditCheck } from './audit.model'
import { followTrail, type Verified } from './trail'

const budgetMs = 3000
const everyMs = 60_000

interface Deps {
  readonly store: Pick<Store, 'read'>
  readonly log: Log
  readonly metrics: Pick<Metrics, 'add'>
  readonly now: () => Date
}

/** The gateway's own check of its trail, in small steps, because requests go first. */
export function createTrailCheck({ store, log, metrics, now }: Deps, budget = budgetMs) {
  let pass: { steps: AsyncGenerator<Verified, Verified>; began: Date } | null = null
  /** The last complete pass: a break that it found stays reported while the next one runs. */
  let ended: AuditCheck | null = null
  let running: Promise<AuditCheck> | null = null
  let stopped = false

  async function step(): Promise<AuditCheck> {
    pass ??= { steps: followTrail(store.read), began: now() }
    const { steps, began } = pass
    const until = performance.now() + budget
    for (;;) {
      const { value, done } = await steps.next().catch((error: unknown) => {
        pass = null
        throw error
      })
      const state = { ...value, isComplete: done === true, checkedAt: began.toISOString() }
      if (done) {
        pass = null
        ended = state
        if (state.problem) log.error({ problem: state.problem }, 'The audit trail is broken: run `bun run audit`')
        return state
      }
      if (stopped || performance.now() >= until) return ended?.problem ? ended : state
    }
  }

  /** Continues for at most some seconds; starts again after a complete pass. One at a time. */
  const goOn = (): Promise<AuditCheck> => {
    running ??= step().finally(() => {
      running = null
    })
    return running
  }
  return {
    goOn,
    /** Repeats it in the background. */
    start(): Worker {
      const help = '1 until the check of the audit trail finds a break, then 0'
      metrics.add({ name: 'bursar_audit_trail_ok', help, read: () => (ended?.problem ? 0 : 1) })
      const rounds = every(everyMs, goOn, { log, name: 'The check of the audit trail' })
      return {
        ...rounds,
        stop() {
          stopped = true
          return rounds.stop()
        },
      }
    },
  }
}
