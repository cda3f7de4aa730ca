import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@bursar/testing'
import { endWithUs } from '../processes'

export interface PostgresServer {
  /** Of its first process; the others are that one's children. */
  readonly pid: number
  /** Where its socket is, and its client may write. */
  readonly folder: string
  /** Of 127.0.0.1. */
  readonly port: number
  /** A program of PostgreSQL's as a command that reaches the server. */
  client(program: 'psql' | 'pgbench'): string[]
  stop(): Promise<void>
}

const needed = ['initdb', 'postgres', 'psql', 'pgbench']

/** The folder of PostgreSQL's programs here, the newest of several; null when there are none. */
export function postgresPrograms(): string | null {
  const config = Bun.which('pg_config')
  const onPath = config ? [Bun.spawnSync([config, '--bindir']).stdout.toString().trim()] : []
  const folders = [...debianFolders(), ...onPath]
  return folders.find((folder) => needed.every((name) => Bun.which(name, { PATH: folder }))) ?? null
}

function debianFolders(): string[] {
  const home = '/usr/lib/postgresql'
  try {
    const versions = readdirSync(home).sort((a, b) => Number(b) - Number(a))
    return versions.map((version) => join(home, version, 'bin'))
  } catch {
    return []
  }
}

/**
 * Durable, and otherwise set to be fast on a small machine: memory enough for all data, few checkpoints, no replication,
 * a Unix socket, and a port for services. What is not named has its default: fsync, synchronous_commit and full_page_writes are on.
 */
const settings = {
  listen_addresses: '127.0.0.1',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
}

/** Starts a new server on the cores that `pinned` names (a taskset command), with this schema. */
export async function startPostgres(
  programs: string,
  pinned: readonly string[],
  schema: string,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-postgres-'))
  const owner = unprivileged()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const program = (name: string) => [...(owner?.command ?? []), join(programs, name)]
  await run([...program('initdb'), '-D', data, '-U', 'bench', '-A', 'trust', '--no-sync'])
  const port = await freePort()
  const set = Object.entries({ ...settings, unix_socket_directories: folder, port: String(port) }).flatMap(([k, v]) => [
    '-c',
    `${k}=${v}`,
  ])
  const server = Bun.spawn([...pinned, ...program('postgres'), '-D', data, ...set], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  endWithUs(server)
  const client = (name: string) => [...program(name), '-h', folder, '-p', String(port), '-U', 'bench']
  await ready([...client('psql'), '-d', 'postgres', '-c', 'SELECT 1'], server)
  await run([...client('psql'), '-d', 'postgres', '-q', '-v', 'ON_ERROR_STOP=1', '-f', schema])
  await run([...client('psql'), '-d', 'postgres', '-q', '-c', 'VACUUM ANALYZE', '-c', 'CHECKPOINT'])
  return {
    pid: server.pid,
    folder,
    port,
    client,
    async stop() {
      // Its fast shutdown.
      server.kill('SIGINT')
      await server.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root: then as the user that its package made. */
function unprivileged() {
  if (process.getuid?.() !== 0) return null
  const entry = Bun.spawnSync(['getent', 'passwd', 'postgres']).stdout.toString().split(':')
  const [, , uid = '', gid = ''] = entry
  if (uid === '') throw new Error('PostgreSQL does not run as root, and there is no user postgres')
  const command = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  return { uid: Number(uid), gid: Number(gid), command }
}

async function ready(command: string[], server: Bun.Subprocess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (server.exitCode !== null) throw new Error('PostgreSQL did not start')
    if ((await Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' }).exited) === 0) return
    await Bun.sleep(100)
  }
  throw new Error('PostgreSQL did not answer')
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' })
  const complaint = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${complaint}`)
}
