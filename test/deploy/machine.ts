// A machine of its own on this one: systemd as the first process of its own namespaces, on an empty disk, with a network of its
// own. It has this machine's /usr, and neither Node, Bun nor a checkout.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempDir, until } from '@bursar/testing'

const systemd = '/lib/systemd/systemd'
const programs = ['unshare', 'nsenter', 'setpriv', 'mount', 'pivot_root', 'systemctl', 'systemd-run']

/** Where the kernel's second form of control groups is mounted. */
const cgroups = (): string | undefined =>
  /^\S+ (\S+) cgroup2 /m.exec(existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '')?.[1]

/** Why no machine can be booted here; null when one can. */
export function whyNoMachine(): string | null {
  if (process.getuid?.() !== 0) return 'it needs root'
  const missing = programs.filter((name) => Bun.which(name) === null)
  if (missing.length > 0 || !existsSync(systemd)) return `it needs systemd and util-linux (${missing.join(', ')})`
  if (!existsSync('/usr/bin/redis-server') && !existsSync('/usr/bin/valkey-server'))
    return 'it needs a Redis in /usr/bin'
  if (!cgroups()) return 'it needs a cgroup2 mount'
  const { exitCode } = Bun.spawnSync([
    'unshare',
    '-p',
    '-m',
    '-n',
    '-u',
    '-i',
    '-C',
    '--fork',
    'mount',
    '-t',
    'tmpfs',
    'none',
    '/mnt',
  ])
  return exitCode === 0 ? null : 'it needs the right to make namespaces'
}

export interface Machine {
  /** Runs a shell script in it, as root in a folder of it. */
  run(script: string, folder?: string): Promise<{ code: number; out: string; error: string }>
  /** Runs a program of this machine in its network. */
  outside(...command: string[]): Promise<{ code: number; out: string; error: string }>
  /** Puts a file or folder of this machine into it. */
  put(from: string, to: string): void
  stop(): Promise<void>
}

export async function bootMachine(): Promise<Machine> {
  const cgroup = join(cgroups() ?? '', `bursar-machine-${process.pid}`)
  mkdirSync(cgroup)
  const namespaces = ['--pid', '--mount', '--net', '--uts', '--ipc', '--fork', '--kill-child']
  const boot = join(import.meta.dir, 'machine-boot.sh')
  // It ends with the tests, whatever becomes of them.
  const first = Bun.spawn(['setpriv', '--pdeathsig', 'KILL', 'unshare', ...namespaces, boot, tempDir(), cgroup], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  })
  const stop = async () => {
    first.kill('SIGKILL')
    await first.exited
    await until(() => removed(cgroup), { what: 'the end of its processes' })
  }
  const children = `/proc/${first.pid}/task/${first.pid}/children`
  let pid = ''
  const enter = (...namespaces: string[]) => ['nsenter', '--target', pid, ...namespaces]
  async function spawn(command: string[]) {
    const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
    const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    return { code, out, error }
  }
  const run = (script: string, folder = '/') =>
    spawn([
      ...enter('--all', '--root', '--wd'),
      ...['env', '-i', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin', 'HOME=/root', 'SYSTEMD_PAGER=cat'],
      ...['sh', '-e', '-c', `cd ${folder}\n${script}`],
    ])
  try {
    await until(() => {
      if (first.exitCode !== null) throw new Error('The machine does not boot')
      pid = readFileSync(children, 'utf8').trim()
      // Until then it is the script that prepares the boot.
      return pid !== '' && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'systemd'
    })
    await until(async () => /^(running|degraded)/.test((await run('systemctl is-system-running')).out), {
      what: 'the boot',
    })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    run,
    outside: (...command) => spawn([...enter('--net'), ...command]),
    put(from, to) {
      const place = join(`/proc/${pid}/root`, to)
      mkdirSync(dirname(place), { recursive: true })
      cpSync(from, place, { recursive: true, mode: 0 })
    },
    stop,
  }
}

/** Removes a control group with those below it: true when no process was left in them. */
function removed(group: string): boolean {
  try {
    for (const name of readdirSync(group))
      if (statSync(join(group, name)).isDirectory() && !removed(join(group, name))) return false
    rmdirSync(group)
    return true
  } catch {
    return false
  }
}
