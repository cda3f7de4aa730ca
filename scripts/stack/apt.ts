import { spawnSync } from 'node:child_process'

/** Installs a Debian package, for root; the reason, when it failed. */
export function installByApt(name: string, say: (sentence: string) => unknown): string | undefined {
  say(`installing it with apt-get install ${name}`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const install = () => run('apt-get', ['install', '-y', '--no-install-recommends', name], { env })
  if (!install()) return undefined
  say('updating the package lists first')
  return run('apt-get', ['update'], { env }) ?? install()
}

/** Runs a program to its end; the reason, when it failed. */
export function run(
  program: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string | undefined {
  const env = { ...process.env, LC_ALL: 'C', ...options.env }
  const { error, status, stderr } = spawnSync(program, args, { cwd: options.cwd, env, encoding: 'utf8' })
  if (status === 0) return undefined
  const lines = (stderr ?? '').split('\n').filter((line) => line.trim())
  const reason = error?.message ?? lines.find((line) => line.startsWith('E:')) ?? lines.at(-1) ?? `exit code ${status}`
  return `${program} ${args.find((arg) => /^[a-z]/.test(arg)) ?? ''} failed: ${reason}`
}
