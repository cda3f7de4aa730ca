import { appendFileSync, closeSync, openSync } from 'node:fs'
import { until } from '@bursar/testing'
import { endWithUs } from '../../bench/processes'

/** A process that is started again when it ends unasked, as a supervisor does. */
export interface Supervised {
  /** Resolves once it answers, or after 20 s: while a fault lasts it may be unable to. */
  start(env?: Record<string, string>): Promise<void>
  /** Does nothing when it does not run. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

interface Program {
  command: readonly string[]
  env: Record<string, string>
  cwd: string
  /** What it prints is appended. */
  log: string
  readyUrl: string
  onUnaskedEnd(code: number): void
}

const restartMs = 1000
const stoppingMs = 20_000

export function supervised(program: Program): Supervised {
  let child: Bun.Subprocess | null = null
  let isWanted = false

  function spawn(env: Record<string, string>) {
    const started = open({ ...program, env: { ...program.env, ...env } })
    child = started
    void started.exited.then(async (code) => {
      child = null
      if (!isWanted) return
      program.onUnaskedEnd(code)
      await Bun.sleep(restartMs)
      if (isWanted && !child) spawn(env)
    })
  }
  return {
    async start(env = {}) {
      isWanted = true
      if (!child) spawn(env)
      await until(() => answers(program.readyUrl), { timeoutMs: 20_000, what: program.readyUrl }).catch(() => {})
    },
    async end(signal) {
      isWanted = false
      const ending = child
      if (!ending) return
      ending.kill(signal)
      const late = setTimeout(() => ending.kill('SIGKILL'), stoppingMs)
      await ending.exited
      clearTimeout(late)
    },
  }
}

function open({ command, env, cwd, log }: Program): Bun.Subprocess {
  appendFileSync(log, `\n--- ${new Date().toISOString()} ${env.FAKETIME ?? ''}\n`)
  const output = openSync(log, 'a')
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...env },
    cwd,
    stdin: 'ignore',
    stdout: output,
    stderr: output,
  })
  closeSync(output)
  endWithUs(child)
  return child
}

const answers = async (url: string): Promise<boolean> =>
  (await fetch(url, { signal: AbortSignal.timeout(2000) })).status > 0
