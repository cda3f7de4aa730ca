import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'bursar-test-'
const staleAfterMs = 60 * 60 * 1000
/** Keeps the guard from being collected: it takes the end of its input for the end of this process. */
let home: { path: string; guard: Bun.Subprocess } | undefined

/**
 * A new empty folder of this process, as an absolute path. It is removed when the process ends; a later process removes
 * those of killed ones.
 */
export function tempDir(): string {
  home ??= createHome()
  return mkdtempSync(join(home.path, 'd-'))
}

/** One folder per process, with its id in the name, so that a later process can tell whether it is still used. */
function createHome() {
  sweep()
  const path = join(tmpdir(), `${prefix}${process.pid}-${Date.now().toString(36)}`)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return { path, guard: afterUs('rm -rf "$0"', path) }
}

/**
 * Runs a command of the shell (its `$0` is `subject`) when this process is gone: its end of the pipe closes then. `bun test` runs no
 * exit handlers, and a killed process cannot.
 */
export function afterUs(command: string, subject: string): Bun.Subprocess {
  const script = `trap '' INT TERM HUP; read -r _; ${command}`
  const guard = Bun.spawn(['/bin/sh', '-c', script, subject], { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' })
  guard.unref()
  return guard
}

function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN
    const path = join(tmpdir(), name)
    if (!Number.isNaN(pid) && !isAlive(pid) && ageMs(path) > staleAfterMs) remove(path)
  }
}

/** Whether there is a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function ageMs(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // A file is still being written; the next process removes the folder.
  }
}
