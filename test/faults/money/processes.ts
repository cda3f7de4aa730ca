// The processes of a stack: started, watched over, and broken.
import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { withAllocator } from '../../../scripts/stack/allocator'
import { lineOfServices } from '../../commands'

export const root = join(import.meta.dir, '../../..')
const restartMs = 500

/** One process, with the services that run in it. */
export interface Unit {
  name: string
  services: readonly ServiceName[]
}

export interface Processes {
  /** How often a process ended unasked, by its name and exit code. */
  ends: Readonly<Record<string, number>>
  /** Starts it where it does not run. */
  start(unit: Unit, env?: Record<string, string>): void
  end(unit: Unit, signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  signal(unit: Unit, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void
  /** The file that says how far its clock is off. */
  clockFile(unit: Unit): string
  /** Sets the process' clock off by so many milliseconds, at once and over its restarts. */
  setClock(unit: Unit, offMs: number): void
  /** No file of it grows any more, as on a full disk; false ends that. */
  fillDisk(unit: Unit, isFull: boolean): void
}

/** In `folder` are their clocks, and their logs where they are kept. */
export function processesWith(env: Record<string, string>, folder: string, keepsLogs: boolean): Processes {
  const running = new Map<string, Bun.Subprocess>()
  const ends: Record<string, number> = {}
  const unwanted = new Set<string>()
  const place = (unit: Unit, end: string) => join(folder, `${unit.name.replaceAll(' ', '-')}.${end}`)
  const signal: Processes['signal'] = (unit, name) => void running.get(unit.name)?.kill(name)

  function start(unit: Unit, more: Record<string, string> = {}): void {
    unwanted.delete(unit.name)
    if (running.has(unit.name)) return
    const output = keepsLogs ? openSync(place(unit, 'log'), 'a') : ('ignore' as const)
    const given = withAllocator({ ...env, ...more, ...clock, CLOCK_FILE: place(unit, 'clock') })
    const child = Bun.spawn(commandOfUnit(unit), {
      cwd: root,
      env: given,
      stdin: 'ignore',
      stdout: output,
      stderr: output,
    })
    running.set(unit.name, child)
    const guard = guardOf(child.pid)
    void child.exited.then(async (code) => {
      guard.kill('SIGKILL')
      if (running.get(unit.name) !== child) return
      // Nobody has asked for that: it is started again, as a supervisor does.
      running.delete(unit.name)
      ends[`${unit.name} ${code}`] = (ends[`${unit.name} ${code}`] ?? 0) + 1
      await Bun.sleep(restartMs)
      if (!unwanted.has(unit.name)) start(unit, more)
    })
  }
  return {
    ends,
    start,
    signal,
    clockFile: (unit) => place(unit, 'clock'),
    async end(unit, how = 'SIGKILL') {
      unwanted.add(unit.name)
      const child = running.get(unit.name)
      if (!child) return
      running.delete(unit.name)
      child.kill('SIGCONT')
      child.kill(how)
      const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await child.exited
      clearTimeout(late)
    },
    setClock(unit, offMs) {
      writeFileSync(place(unit, 'clock'), String(offMs))
      signal(unit, 'SIGUSR2')
    },
    fillDisk(unit, isFull) {
      const child = running.get(unit.name)
      const limit = `--fsize=${isFull ? '0' : 'unlimited'}:unlimited`
      if (child) Bun.spawnSync(['prlimit', `--pid=${child.pid}`, limit])
    },
  }
}

/** Settings of a program of Bun that goes by the clock that CLOCK_FILE names. */
export const clock = { BUN_OPTIONS: `--no-env-file --preload ${join(import.meta.dir, 'clock.ts')}` }

/** The signal that goes with a full disk would end the process; a service's answer to it is what matters. */
const commandOfUnit = ({ services }: Unit): string[] => [
  'sh',
  '-c',
  'trap "" XFSZ; exec "$@"',
  'sh',
  ...lineOfServices(...services),
]

/** Keeps the guards from being collected: each takes the end of its input for the end of this process. */
const guards = new Set<Bun.Subprocess>()

/** Ends a service when this process is gone, also when it was itself killed. */
function guardOf(pid: number): Bun.Subprocess {
  const script = `trap '' INT TERM HUP; read -r _; kill -9 ${pid} 2>/dev/null`
  const guard = Bun.spawn(['/bin/sh', '-c', script], { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' })
  guard.unref()
  guards.add(guard)
  void guard.exited.then(() => guards.delete(guard))
  return guard
}
