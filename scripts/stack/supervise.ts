import { labelled } from './output'
import { launch, type Running, writeLastWill } from './process'
import type { Entry } from './procfile'

/** What ended the stack: told to stop, or something `failed`. */
export interface End {
  sentence: string
  failed: boolean
}

/** The processes that run together, and end together. */
export interface Stack {
  /** Starts these at once. What is started later is stopped earlier. */
  start(entries: readonly Entry[]): Promise<void>
  /** Ends the stack for this reason; only the first one counts. */
  finish(end: End): void
  /** Resolves with that reason. */
  end: Promise<End>
  /** Aborted when the stack ends, so that whatever still waits for a start gives up. */
  ending: AbortSignal
  /** Stops everything in order; resolves when nothing is left. */
  stop(): Promise<void>
  /** Kills everything at once. */
  kill(): void
}

/**
 * Opens an empty stack. A process that ends by itself, whatever its exit code, ends the stack. `names` are all that will
 * be started, so that their labels can be padded alike; a process gets `graceMs` between SIGTERM and SIGKILL.
 */
export function openStack(options: { cwd: string; names: readonly string[]; graceMs: number }): Stack {
  const { cwd, names, graceMs } = options
  const width = Math.max(...names.map((name) => name.length))
  const layers: Running[][] = []
  const end = Promise.withResolvers<End>()
  const ending = new AbortController()
  const lastWill = writeLastWill(graceMs)

  const finish = (reason: End) => {
    end.resolve(reason)
    ending.abort()
  }
  const startOne = ({ name, command, log }: Entry) => {
    const running = launch(['sh', '-c', command], { cwd, ...labelled(name, names.indexOf(name), width) })
    const where = log ? ` (its log is ${log})` : ''
    void running.ended.then((how) => finish({ sentence: `${name} ended by itself with ${how}${where}`, failed: true }))
    return running
  }

  return {
    finish,
    end: end.promise,
    ending: ending.signal,
    async start(entries) {
      const layer = entries.map(startOne)
      layers.push(layer)
      await lastWill.include(layer.map(({ pid }) => pid))
    },
    async stop() {
      for (const layer of layers.toReversed()) await Promise.all(layer.map((running) => running.stop(graceMs)))
      lastWill.revoke()
    },
    kill() {
      for (const running of layers.flat()) running.kill()
    },
  }
}
