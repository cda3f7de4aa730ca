import { spawnSync } from 'node:child_process'

/** A server that does not answer is tried at most twice, for five seconds each; then the fetch fails. */
const patience = [
  '-o',
  'Acquire::http::Timeout=5',
  '-o',
  'Acquire::https::Timeout=5',
  '-o',
  'Acquire::Retries=0',
  '-o',
  'APT::Update::Error-Mode=any',
]

/** Runs apt-get; the reason, when it failed. */
export const aptGet = (args: string[], options: RunOptions = {}): string | undefined =>
  run('apt-get', [...patience, ...args], options)

/** Whether a reason is that there is no network to the servers of packages: another try would fail alike. */
export const isUnreachable = (reason: string): boolean =>
  /could not (connect|resolve)|connection (failed|refused)|unable to connect|temporary failure|timed? ?out|no route|network is unreachable/i.test(
    reason,
  )

/** Installs a Debian package, for root; the reason, when it failed. */
export function installByApt(name: string, say: (sentence: string) => unknown): string | undefined {
  say(`installing it with apt-get install ${name}`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const install = () => aptGet(['install', '-y', '--no-install-recommends', name], { env })
  const reason = install()
  if (!reason || isUnreachable(reason)) return reason
  say('updating the package lists first')
  return aptGet(['update'], { env }) ?? install()
}

interface RunOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
}

/** Runs a program to its end; the reason, when it failed. */
export function run(program: string, args: string[], options: RunOptions = {}): string | undefined {
  const env = { ...process.env, LC_ALL: 'C', ...options.env }
  const { error, status, stderr } = spawnSync(program, args, { cwd: options.cwd, env, encoding: 'utf8' })
  if (status === 0) return undefined
  const lines = (stderr ?? '').split('\n').filter((line) => line.trim())
  const reason = error?.message ?? lines.find((line) => line.startsWith('E:')) ?? lines.at(-1) ?? `exit code ${status}`
  return `${program} ${args.find((arg) => /^[a-z]/.test(arg)) ?? ''} failed: ${reason}`
}
