import type { Log } from '@bursar/contracts/log'
import { dialect } from '../config'
import type { OpenStore } from '../engine/open-store'
import { leaseOf } from './lease'
import { LeaseLostError } from './queue'

/** A worker that runs beside the server until it is stopped. */
export interface Worker {
  /** Starts no further run, and resolves when the current one has ended. */
  stop(): Promise<void>
  /** False while something is under way or due. A worker without it counts as idle. */
  idle?(): boolean
}

/** Work that is repeated. */
export interface Loop extends Worker {
  /** Runs the work now, or joins the run that is under way. Never rejects. */
  runNow(): Promise<void>
}

/** What fails in each run is logged so often: a pause may be a quarter of a second, and an outage last for hours. */
const quietMs = 60_000

/**
 * Repeats the work: a pause of `pauseMs` (give or take a tenth, so that many processes do not work in step) lies between
 * the end of a run and the start of the next. Runs never overlap; one that fails is logged, and the next one comes. Of those
 * that fail one after another the log has the first, then one a minute with their number, and their end. It keeps no process
 * alive. With `alone` one instance does it, until it stops, says nothing for 10 seconds (lease.ts), or fails: another one may
 * be able to, where this one cannot reach a node or has a broken disk.
 */
export function every(pauseMs: number, work: (own: OpenStore) => Promise<unknown>, options: AloneOptions): Loop
export function every(pauseMs: number, work: () => Promise<unknown>, options: LoopOptions): Loop
export function every(
  pauseMs: number,
  work: (own: OpenStore) => Promise<unknown>,
  { log, name, firstMs = pauseMs, alone }: LoopOptions & Partial<AloneOptions>,
): Loop {
  // A database with one process needs no lease.
  const lease = alone && dialect !== 'sqlite' ? leaseOf(alone, name) : null
  let timer: Timer | undefined
  let running: Promise<void> | null = null
  let stopped = false
  const failures = countFailures(log, name)

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
      if (lease && !(await lease.take())) return
      await work(lease?.store ?? (alone as OpenStore))
      failures.ended()
    } catch (error) {
      if (error instanceof LeaseLostError) log.warn({ err: error, worker: name }, `${name} is another instance’s now`)
      else if (!stopped) failures.failed(error)
      if (!stopped) await letGo()
    }
  }

  /** Never rejects. */
  async function letGo() {
    await lease?.release().catch((error: unknown) => {
      log.warn({ err: error, worker: name }, `${name} was not handed over: others wait until this instance has ended`)
    })
  }

  schedule(firstMs)
  return {
    runNow,
    idle: () => running === null,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
      await letGo()
    },
  }
}

/** Logs the failures of runs that fail one after another. */
function countFailures(log: Log, worker: string) {
  let failures = 0
  let toldAtMs = 0
  return {
    failed(err: unknown) {
      failures += 1
      if (failures > 1 && performance.now() - toldAtMs < quietMs) return
      toldAtMs = performance.now()
      log.error({ err, worker, ...(failures > 1 && { failures }) }, `${worker} failed; it is repeated`)
    },
    ended() {
      if (failures > 1) log.info({ worker, failures }, `${worker} works again`)
      failures = 0
    },
  }
}

/** For work that one of the instances that share a database does at a time. */
export interface AloneOptions extends LoopOptions {
  /**
   * The work gets this store back, with commits that are refused once another instance has the work. The lease is named
   * by `name`, too.
   */
  alone: OpenStore
}

export interface LoopOptions {
  log: Log
  /** The name of the work, for the log: `The journal’s sealing`. */
  name: string
  /** The pause before the first run; `pauseMs` unless given. */
  firstMs?: number
}
