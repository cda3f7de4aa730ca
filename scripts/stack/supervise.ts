import { launch, type Running, type Sink, writeLastWill } from './process'
import type { Entry } from './procfile'
import { countRestarts, mostRestarts } from './restarts'

/** Why the stack ended: a stop was requested, or something `failed`. */
export interface End {
  sentence: string
  failed: boolean
}

/** Processes that run and end together. */
export interface Stack {
  /** Starts these at once. Processes are stopped in the reverse order. */
  start(entries: readonly Entry[]): Promise<void>
  /** From now on a process that ends by itself is restarted. Before that it ends the stack. */
  keepRunning(): void
  /** Ends the stack for this reason; only the first one counts. */
  finish(end: End): void
  /** Resolves with that reason. */
  end: Promise<End>
  /** Aborted when the stack ends, so that anything still waiting for a start gives up. */
  ending: AbortSignal
  /** Stops everything in order; resolves when nothing is left. */
  stop(): Promise<void>
  /** Kills everything at once. */
  kill(): void
}

export interface StackOptions {
  cwd: string
  /** All that will be started, so that their labels can be padded alike. */
  names: readonly string[]
  /** The time between SIGTERM and SIGKILL. */
  graceMs: number
  /** Whether a process that ends in order, as by `bun run restart`, is started again before `keepRunning`, too. */
  restarts?: boolean
  /** Prints a message for people. */
  say: (sentence: string) => void
  /** Filters the standard error of the processes. */
  sift?: (sink: Sink) => Sink
}

/** One line of the Procfile, with its present process. */
interface Member {
  entry: Entry
  running: Running
}

/**
 * Opens an empty stack. A process that ends by itself ends the stack; after `keepRunning` it is restarted, at most five times
 * a minute.
 */
export function openStack({
  cwd,
  names,
  graceMs,
  restarts: mayRestart = false,
  say,
  sift = (sink) => sink,
}: StackOptions): Stack {
  const width = Math.max(...names.map((name) => name.length))
  const layers: Member[][] = []
  const end = Promise.withResolvers<End>()
  const ending = new AbortController()
  const lastWill = writeLastWill(graceMs)
  let restarting = false

  const finish = (reason: End) => {
    end.resolve(reason)
    ending.abort()
  }
  const open = ({ name, command }: Entry) => {
    const { out, err } = labelled(name, names.indexOf(name), width)
    return launch(command, { cwd, out, err: sift(err) })
  }
  const revise = () => lastWill.revise(layers.flat().map(({ running }) => running.pid))

  /** Watches a process for as long as the stack lives, and each one that takes its place. */
  async function watch(member: Member) {
    const { name, log } = member.entry
    const restarts = countRestarts()
    for (;;) {
      const how = await member.running.ended
      if (ending.signal.aborted) return
      const ended = `${name} ended by itself with ${how}${log ? ` (its log is ${log})` : ''}`
      const isInOrder = mayRestart && how === 'exit code 0'
      if (!restarting && !isInOrder) return finish({ sentence: ended, failed: true })
      const next = restarts.next(performance.now())
      if (!next) return finish({ sentence: `${ended}, after ${mostRestarts} restarts within a minute`, failed: true })
      say(
        `${ended}; it is started again in ${next.pauseMs / 1000} s (restart ${next.number} of ${mostRestarts} in a minute).`,
      )
      // Its children may still hold its port.
      member.running.kill()
      await Promise.race([Bun.sleep(next.pauseMs), aborted(ending.signal)])
      if (ending.signal.aborted) return
      member.running = open(member.entry)
      await revise()
      member.running.begin()
    }
  }

  return {
    finish,
    end: end.promise,
    ending: ending.signal,
    keepRunning() {
      restarting = true
    },
    async start(entries) {
      const layer = entries.map((entry) => ({ entry, running: open(entry) }))
      layers.push(layer)
      for (const member of layer) void watch(member)
      await revise()
      for (const { running } of layer) running.begin()
    },
    async stop() {
      for (const layer of layers.toReversed()) await Promise.all(layer.map(({ running }) => running.stop(graceMs)))
      lastWill.revoke()
    },
    kill() {
      for (const { running } of layers.flat()) running.kill()
    },
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Stops the stack on the usual signals; the second one does not wait. */
export function obeySignals(stack: Stack): void {
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) {
    process.on(signal, () => {
      if (stack.ending.aborted) stack.kill()
      stack.finish({ sentence: `Stopping on ${signal}`, failed: false })
    })
  }
  // The reader of the output is gone, as in `scripts/start | head`.
  process.stdout.on('error', () => stack.finish({ sentence: 'Nobody reads the output any more', failed: true }))
}

const colours = [36, 33, 32, 35, 34, 96, 93, 92, 95, 94]

/** Writes a process' lines with its name in front: padded to `width`, coloured by `index` on a terminal. */
function labelled(name: string, index: number, width: number): { out: Sink; err: Sink } {
  const padded = `${name.padEnd(width)} |`
  const sinkTo = (stream: NodeJS.WriteStream) => {
    const coloured = stream.isTTY && !process.env.NO_COLOR
    return inLines(stream, coloured ? `\x1b[${colours[index % colours.length]}m${padded}\x1b[0m ` : `${padded} `)
  }
  return { out: sinkTo(process.stdout), err: sinkTo(process.stderr) }
}

/** Writes whole lines only, so that those of several processes never mix; incomplete ones are buffered. */
function inLines(stream: NodeJS.WritableStream, label: string): Sink {
  const decoder = new TextDecoder()
  let rest = ''
  return (chunk) => {
    const text = rest + decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('\n')
    rest = text.slice(end + 1)
    if (end >= 0) stream.write(`${label}${text.slice(0, end).replaceAll('\n', `\n${label}`)}\n`)
  }
}
