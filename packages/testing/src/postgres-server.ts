import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from './free-port'

/** A PostgreSQL server of a test's own. */
export interface PostgresServer {
  url: string
  pid: number
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

/** Starts a server in a folder of its own, on a free port of this machine. It refuses to run as root. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
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
  }
  const server = Bun.spawn(
    [
      ...as,
      join(folder, 'postgres'),
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { cwd: home, stdout: 'ignore', stderr: 'ignore' },
  )
  const url = `postgres://bursar@127.0.0.1:${port}/postgres`
  await ready(url, server)
  return {
    url,
    pid: server.pid,
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
