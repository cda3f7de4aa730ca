import type { Log } from '@bursar/contracts/log'

/** A worker that runs beside the server until it is stopped. */
export interface Worker {
  /** Starts no further run, and resolves when the current one has ended. */
  stop(): Promise<void>
  /** False while something is under way or due. A worker without it counts as idle. */
  idle?(): boolean
}

/** Work that is repeated. */
export interface Loop extends Worker {
  /** Does the work now, or joins the run that is under way. Never rejects. */
  runNow(): Promise<void>
}

/**
 * Repeats the work: a pause of `pauseMs` (give or take a tenth, so that many processes do not work in step) lies between
 * the end of a run and the start of the next. Runs never overlap; one that fails is logged, and the next one comes. It
 * keeps no process alive.
 */
export function every(
  pauseMs: number,
  work: () => Promise<unknown>,
  { log, name, firstMs = pauseMs }: LoopOptions,
): Loop {
  let timer: Timer | undefined
  let running: Promise<void> | null = null
  let stopped = false

  function schedule(delayMs: number) {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(() => void runNow(), delayMs)
    timer.unref()
  }

  function runNow(): Promise<void> {
    if (stopped) return Promise.resolve()
    clearTimeout(timer)
    running ??= attempt().finally(() => {
      running = null
      schedule(pauseMs * (0.9 + Math.random() * 0.2))
    })
    return running
  }

  async function attempt() {
    try {
      await work()
    } catch (error) {
      if (!stopped) log.error({ err: error, worker: name }, `${name} failed; it is repeated`)
    }
  }

  schedule(firstMs)
  return {
    runNow,
    idle: () => running === null,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

export interface LoopOptions {
  log: Log
  /** The name of the work, for the log: `The journal’s sealing`. */
  name: string
  /** The pause before the first run; `pauseMs` unless given. */
  firstMs?: number
}
