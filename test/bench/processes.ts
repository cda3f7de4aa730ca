import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { until } from '@bursar/testing'
import { withAllocator } from '../../scripts/stack/allocator'
import type { Figures } from './drive'

export interface Running {
  readonly url: string
  readonly pid: number
  /** From the start of the process to its first good answer. */
  readonly readyMs: number
  /** How it is loaded, where that is not over HTTP. */
  drive?(connections: number, seconds: number): Promise<Figures>
  /** SIGTERM, and SIGKILL when that is not heeded within 15 s. Rejects when the process ended badly. */
  stop(): Promise<void>
}

export interface Start {
  command: readonly string[]
  env: Record<string, string>
  /** Answers with 200 once it is ready. */
  readyUrls: readonly string[]
  /** Takes what it prints. */
  log: string
}

const running = new Set<Bun.Subprocess>()

/** Starts a server and waits until it answers. Throws with what it printed when it does not. */
export async function startProcess({ command, env, readyUrls, log }: Start): Promise<Running> {
  const started = performance.now()
  const output = openSync(log, 'w')
  const child = Bun.spawn([...command], {
    env: withAllocator({ ...process.env, ...env }),
    // Away from the .env file of whoever runs this.
    cwd: dirname(log),
    stdin: 'ignore',
    stdout: output,
    stderr: output,
  })
  closeSync(output)
  running.add(child)
  const guard = guardOf(child.pid)
  const ended = child.exited.then(() => {
    running.delete(child)
    guard.kill('SIGKILL')
  })
  for (const url of readyUrls) {
    await until(() => child.exitCode !== null || answers(url), { timeoutMs: 60_000, what: `${url} to answer` })
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended: ${await Bun.file(log).text()}`)
  }
  return {
    url: new URL(readyUrls[0] ?? '').origin,
    pid: child.pid,
    readyMs: performance.now() - started,
    async stop() {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(late)
    },
  }
}

const answers = async (url: string): Promise<boolean> => (await fetch(url)).ok

/** Has `killAll` end this one too. */
export function endWithUs(child: Bun.Subprocess): void {
  running.add(child)
  void child.exited.then(() => running.delete(child))
}

/** Ends at once whatever still runs. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Kills the process when this one is gone, even when it was itself killed: its end of the pipe closes then. */
function guardOf(pid: number): Bun.Subprocess {
  const script = `trap '' INT TERM HUP; read -r _; kill -9 ${pid} 2>/dev/null`
  const guard = Bun.spawn(['/bin/sh', '-c', script], { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' })
  guard.unref()
  return guard
}

/** Processor time that the process and its children have used so far, in microseconds; NaN where the system does not tell. */
export async function cpuTimeUs(pid: number): Promise<number> {
  const [, ...children] = await family(pid)
  const times = await Promise.all(children.map(ownTimeUs))
  // A child that has just ended is counted with its parent.
  return times.reduce((sum, time) => sum + (time || 0), await ownTimeUs(pid))
}

async function ownTimeUs(pid: number): Promise<number> {
  const text = await read(`/proc/${pid}/stat`)
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // Its own and that of the children that have ended, in hundredths of a second on every Linux.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10_000, fields.length > 1 ? 0 : Number.NaN)
}

/** A process and its children. */
async function family(pid: number): Promise<number[]> {
  const children = (await read(`/proc/${pid}/task/${pid}/children`)).trim()
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))]
}

/**
 * The memory of the process and its children in MB: all that is mapped, and its share of it. NaN where the system does not
 * tell.
 */
export async function memoryMb(pid: number): Promise<{ rss: number; pss: number }> {
  const texts = await Promise.all((await family(pid)).map((member) => read(`/proc/${member}/smaps_rollup`)))
  const find = (text: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024
  const pss = texts.reduce((sum, text) => sum + find(text, 'Pss'), 0)
  const [own = ''] = texts
  // What children share with each other would be counted for each of them.
  return { rss: texts.length > 1 ? pss : find(own, 'Rss'), pss }
}

const read = (path: string): Promise<string> =>
  Bun.file(path)
    .text()
    .catch(() => '')
