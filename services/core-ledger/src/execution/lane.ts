import type { Log } from '@bursar/contracts/log'

/** A queue of due work, done so many at a time. */
export interface Lane {
  /** There may be something due now. */
  wake(): void
  /** Takes nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

interface Options {
  /** The ids of the oldest work that is due at a moment. What is in hand still counts as due. */
  due: (at: Date, limit: number) => Promise<string[]>
  /** When the next work that is not due at a moment becomes due; null when nothing waits. */
  nextDueAt: (at: Date) => Promise<Date | null>
  /** Does one piece of work and settles it. Rejects only when it could not even be put off. */
  run: (id: string) => Promise<void>
  /** How many at a time. */
  width: number
  now: () => Date
  log: Log
}

/** What could not be settled (a full disk) is left alone for so long, and the rest with it. */
const pauseMs = 1000
/** A clock that was set must not leave work lying, nor anything else. */
const longestTimerMs = 60_000

export function startLane({ due, nextDueAt, run, width, now, log }: Options): Lane {
  const inHand = new Map<string, Promise<void>>()
  let looking: Promise<void> | null = null
  let again = false
  let stopped = false
  let pausedUntil = 0
  let timer: Timer | undefined

  function wake() {
    if (stopped) return
    again = true
    looking ??= lookWhileWoken()
  }

  async function lookWhileWoken() {
    // What ends in one turn is replaced at once, by one query.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (again && !stopped) {
      again = false
      await look().catch(failed)
    }
    looking = null
  }

  async function look() {
    clearTimeout(timer)
    const pauseLeftMs = pausedUntil - performance.now()
    if (pauseLeftMs > 0) return arm(pauseLeftMs)
    if (inHand.size === width) return
    // One moment for both questions: what becomes due between them would be in neither answer.
    const at = now()
    // Of the first `width` that are due at most those in hand are not to be had.
    for (const id of await due(at, width)) {
      if (!stopped && !inHand.has(id) && inHand.size < width) begin(id)
    }
    if (inHand.size === width) return
    const next = await nextDueAt(at)
    // Also with nothing to wait for: should a call to `wake` be missing, work is late, and not lost.
    arm(next ? next.getTime() - now().getTime() : longestTimerMs)
  }

  function arm(delayMs: number) {
    clearTimeout(timer)
    if (stopped) return
    timer = setTimeout(wake, Math.min(Math.max(1, Math.ceil(delayMs)), longestTimerMs))
    timer.unref()
  }

  function begin(id: string) {
    const ended = run(id)
      .catch(failed)
      .then(() => {
        inHand.delete(id)
        wake()
      })
    inHand.set(id, ended)
  }

  function failed(error: unknown) {
    if (stopped) return
    log.error({ err: error }, 'Approved transactions could not be worked on; trying again')
    pausedUntil = performance.now() + pauseMs
    again = true
  }

  return {
    wake,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
      await Promise.all(inHand.values())
    },
  }
}
