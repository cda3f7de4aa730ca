import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aptGet, installByApt, isUnreachable, run } from './apt'
import { home } from './installation'

/** The oldest Redis that BullMQ's commands work on. */
export const minimumRedis = '6.2'

/** True for a version below the minimum, and for text that is not a version. */
export function isOldRedis(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return !(major > 6 || (major === 6 && minor >= 2))
}

const cache = join(home, '.cache')
const unpacked = join(cache, 'bin', 'redis-server')
/** Where package managers put programs that a plain user's PATH may lack. */
const folders = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin']

/**
 * A redis-server (or valkey-server) that runs here: REDIS_SERVER, one on the PATH, else one it installs, by apt-get or
 * brew, or by unpacking Debian's packages into .cache when it may not install. Throws a sentence that says what to do.
 */
export async function provideRedisServer(
  say: (sentence: string) => unknown,
  { chosen = process.env.REDIS_SERVER, find = findRedisServer, ways = waysHere() }: Partial<Machine> = {},
): Promise<string> {
  if (chosen && !isRecent(chosen))
    throw new Error(`REDIS_SERVER is ${chosen}, which is no Redis ${minimumRedis} or later.`)
  const found = chosen || find()
  if (found) return found
  say(`no redis-server ${minimumRedis} or later is here yet`)
  for (const install of ways) {
    const reason = install(say)
    const installed = find()
    if (installed) return installed
    if (reason) say(reason)
    if (reason && isUnreachable(reason)) break
  }
  const why =
    ways.length === 0 ? 'and there is neither apt-get nor Homebrew to install it' : 'and could not be installed'
  throw new Error(
    `Redis ${minimumRedis} or later is needed, ${why}. Install redis-server or valkey-server with the package manager of ` +
      'this system and start again, or set REDIS_URL to one that runs, such as redis://127.0.0.1:6379. REDIS_SERVER names ' +
      'a program that is not on the PATH.',
  )
}

/** The available programs, and the ways to install more. */
interface Machine {
  /** The program named by REDIS_SERVER; empty for none. */
  chosen: string
  find: () => string | undefined
  ways: readonly Way[]
}

function findRedisServer(): string | undefined {
  const PATH = [process.env.PATH, ...folders].join(':')
  const named = ['redis-server', 'valkey-server'].map((name) => Bun.which(name, { PATH }))
  return [...named, unpacked].find((program) => program && isRecent(program)) ?? undefined
}

function isRecent(program: string): boolean {
  if (!existsSync(program)) return false
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return !isOldRedis(/\bv=(\d+\.\d+)/.exec(stdout ?? '')?.[1] ?? '')
}

/** A way to install: installs, or returns why it could not. */
type Way = (say: (sentence: string) => unknown) => string | undefined

function waysHere(): Way[] {
  if (process.platform === 'darwin') return Bun.which('brew') ? [byBrew] : []
  if (!Bun.which('apt-get')) return []
  if (process.getuid?.() !== 0) return [byUnpacking]
  // Where systemd runs, the installed package would start a Redis of its own at once.
  return existsSync('/run/systemd/system') ? [byUnpacking, byApt] : [byApt, byUnpacking]
}

const byBrew: Way = (say) => {
  say('installing it with brew install redis')
  return run('brew', ['install', 'redis'])
}

const byApt: Way = (say) => installByApt('redis-server', say)

/** Fetches the packages that are missing and unpacks them below .cache/redis: no right to install is needed. */
const byUnpacking: Way = (say) => {
  say('unpacking its packages into .cache/redis, without installing them')
  const folder = join(cache, 'redis')
  rmSync(folder, { recursive: true, force: true })
  for (const name of ['packages', 'root', 'lists/partial', 'apt/archives/partial']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  const first = download(folder, [])
  const problem = first && !isUnreachable(first) ? downloadWithOwnLists(folder, say) : first
  if (problem) return problem
  for (const file of readdirSync(join(folder, 'packages'))) {
    const failed = run('dpkg', ['-x', join(folder, 'packages', file), join(folder, 'root')])
    if (failed) return failed
  }
  for (const name of ['packages', 'lists', 'apt']) rmSync(join(folder, name), { recursive: true })
  writeWrapper(join(folder, 'root'))
  return undefined
}

/** A machine that never ran `apt-get update` has no package lists, and only root may write the usual ones. */
function downloadWithOwnLists(folder: string, say: (sentence: string) => unknown): string | undefined {
  say('fetching the package lists first')
  const options = ['-o', `Dir::State::Lists=${join(folder, 'lists')}`, '-o', `Dir::Cache=${join(folder, 'apt')}`]
  return aptGet([...options, 'update']) ?? download(folder, options)
}

/** Downloads redis-server and those libraries that it needs and this machine lacks. */
function download(folder: string, options: string[]): string | undefined {
  // Grows while it is walked.
  const packages = new Set(['redis-server'])
  for (const name of packages) {
    const { stdout } = spawnSync('apt-cache', [...options, 'depends', name], { encoding: 'utf8' })
    const needed = [...(stdout ?? '').matchAll(/^ +\|?(?:Pre)?Depends: ((?:redis|lib|lua)[^:\s]*)$/gm)].map(
      (match) => match[1] ?? '',
    )
    for (const other of needed) if (other.startsWith('redis') || !isInstalled(other)) packages.add(other)
  }
  return aptGet([...options, 'download', ...packages], { cwd: join(folder, 'packages') })
}

function isInstalled(name: string): boolean {
  const { stdout } = spawnSync('dpkg-query', ['--status', name], { encoding: 'utf8' })
  return /^Status: install ok installed$/m.test(stdout ?? '')
}

/** The program under .cache/bin sets the library path for Redis alone, so that nothing else has to. */
function writeWrapper(folder: string): void {
  const libraries = new Set([...new Bun.Glob('**/lib*.so*').scanSync({ cwd: folder, onlyFiles: false })].map(dirname))
  const paths = [...libraries].map((library) => join(folder, library)).join(':')
  const program = join(folder, 'usr/bin/redis-server')
  mkdirSync(dirname(unpacked), { recursive: true })
  writeFileSync(unpacked, `#!/bin/sh\nLD_LIBRARY_PATH='${paths}' exec '${program}' "$@"\n`)
  chmodSync(unpacked, 0o755)
}
