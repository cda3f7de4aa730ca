import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { onAllCores, onServerCore } from '../cores'
import { type Figures, median } from '../drive'
import { cpuTimeUs, endWithUs } from '../processes'
import type { Subject } from '../scenario'
import { type PostgresServer, postgresPrograms, startPostgres } from './server'

/**
 * The same withdrawal in PostgreSQL as one stored function, durable, called by pgbench over a Unix socket with prepared
 * statements: no HTTP, no JSON to parse, one call in flight for each connection.
 */
export const postgresWithdrawals = (cores: 'one core' | 'all cores'): Subject => ({
  name: `PostgreSQL, stored function, no HTTP, ${cores}`,
  floor: true,
  skipped: () =>
    postgresPrograms() === null
      ? 'PostgreSQL is not installed (`apt-get install postgresql` on Debian and Ubuntu)'
      : null,
  async start() {
    const programs = postgresPrograms()
    if (programs === null) throw new Error('PostgreSQL is not installed')
    const isOneCore = cores === 'one core'
    const server = await startPostgres(
      programs,
      isOneCore ? onServerCore : onAllCores,
      join(import.meta.dir, 'schema.sql'),
    )
    return {
      url: '',
      pid: server.pid,
      readyMs: Number.NaN,
      stop: server.stop,
      // With all cores the client shares them, as one on the same machine would.
      drive: async (connections, seconds) => {
        return await callFunction(server, { pinned: isOneCore ? [] : onAllCores, connections, seconds })
      },
    }
  },
})

/** How pgbench calls the stored function. */
export interface Calls {
  /** A taskset command for pgbench. */
  pinned: readonly string[]
  connections: number
  seconds: number
  /** Another way to the server: options of PostgreSQL's programs. */
  way?: readonly string[]
}

/** Calls it over so many connections. On a busy machine they may take all of the time: then it has measured nothing. */
export async function callFunction(server: PostgresServer, calls: Calls): Promise<Figures> {
  const run = () => drive(server, calls)
  return (await run()) ?? (await run()) ?? (await run()) ?? nothing()
}

function nothing(): never {
  throw new Error('pgbench finished no transaction in three attempts: the machine is too busy')
}

let runs = 0

async function drive(
  server: PostgresServer,
  { pinned, connections, seconds, way = [] }: Calls,
): Promise<Figures | null> {
  runs += 1
  const prefix = `${server.folder}/run-${runs}`
  const script = join(import.meta.dir, 'withdrawal.sql')
  const options = [
    '-n',
    '-M',
    'prepared',
    '-f',
    script,
    '-c',
    `${connections}`,
    '-T',
    `${seconds}`,
    '-l',
    `--log-prefix=${prefix}`,
  ]
  const before = await cpuTimeUs(server.pid)
  const pgbench = Bun.spawn([...pinned, ...server.client('pgbench'), ...way, ...options, 'postgres'], {
    cwd: server.folder,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  endWithUs(pgbench)
  const [said, complaint] = await Promise.all([
    new Response(pgbench.stdout).text(),
    new Response(pgbench.stderr).text(),
  ])
  const code = await pgbench.exited
  const after = await cpuTimeUs(server.pid)
  const rate = Number(/tps = ([\d.]+)/.exec(said)?.[1])
  if (code === 0 && /actually processed: 0\b/.test(said)) return null
  const failed = /failed transactions: (\d+)/.exec(said)?.[1]
  if (code !== 0 || Number.isNaN(rate) || (failed ?? '0') !== '0') throw new Error(`pgbench: ${complaint}\n${said}`)
  const times = await latencies(server.folder, `run-${runs}.`)
  return {
    requestsPerSecond: rate,
    p50Ms: median(times),
    p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    cpuUs: (after - before) / times.length,
  }
}

/** What pgbench logged of each call, in milliseconds, ascending. */
async function latencies(folder: string, prefix: string): Promise<number[]> {
  const files = readdirSync(folder).filter((name) => name.startsWith(prefix))
  const texts = await Promise.all(files.map((name) => Bun.file(join(folder, name)).text()))
  const lines = texts.flatMap((text) => text.trimEnd().split('\n'))
  return lines.map((line) => Number(line.split(' ')[2]) / 1000).sort((a, b) => a - b)
}
