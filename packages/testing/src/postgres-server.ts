import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from './free-port'

/** A PostgreSQL server of a test's own. */
export interface PostgresServer {
  url: string
  readonly pid: number
  /** Ends it in an orderly way (`fast`) or as a crash does (`immediate`), whatever is under way, and starts it again. */
  restart(how: 'fast' | 'immediate'): Promise<void>
  stop(): Promise<void>
}

const debian = '/usr/lib/postgresql'

/** The folder of PostgreSQL's programs; null where there is none. */
export function postgresPrograms(): string | null {
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : []
  const onPath = Bun.which('postgres')
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(onPath ? [dirname(onPath)] : [])]
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) ?? null
}

/** Starts a server in a folder of its own, on a free port of this machine, with these settings. It refuses to run as root. */
export async function startPostgres(folder: string, more: Record<string, string> = {}): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'pg-store-'))
  const isRoot = process.getuid?.() === 0
  const [user, group] = [65534, 65534]
  if (isRoot) chownSync(home, user, group)
  const as = isRoot ? ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups'] : []
  const data = join(home, 'data')
  const made = Bun.spawnSync([...as, join(folder, 'initdb'), '-D', data, '-U', 'bursar', '-A', 'trust', '--no-sync'], {
    cwd: home,
  })
  if (made.exitCode !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = String(await freePort())
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '400',
    port,
    // Nothing of it is kept: it needs not be on the disk.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    ...more,
  }
  const command = [
    ...as,
    join(folder, 'postgres'),
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const url = `postgres://bursar@127.0.0.1:${port}/postgres`
  const start = () => Bun.spawn(command, { cwd: home, stdout: 'ignore', stderr: 'ignore' })
  let server = start()
  await ready(url, server)
  return {
    url,
    get pid() {
      return server.pid
    },
    async restart(how) {
      server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await server.exited
      server = start()
      await ready(url, server)
    },
    async stop() {
      // At once: nothing of it is kept.
      server.kill('SIGQUIT')
      await server.exited
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function ready(url: string, server: Bun.Subprocess): Promise<void> {
  for (;;) {
    const client = new Bun.SQL(url, { max: 1, connectionTimeout: 5 })
    try {
      await client.unsafe('SELECT 1')
      return
    } catch (error) {
      if (server.exitCode !== null) throw new Error('The server ended', { cause: error })
      await Bun.sleep(50)
    } finally {
      await client.close()
    }
  }
}
