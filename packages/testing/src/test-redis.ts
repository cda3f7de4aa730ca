import { rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort, isFree } from './free-port'
import { afterUs, tempDir } from './temp-dir'
import { until } from './until'

export interface TestRedis {
  /** `redis://127.0.0.1:<port>`; stays the same over restarts. */
  url: string
  port: number
  /** The folder with its configuration, its log and its data. */
  dir: string
  /** Shuts it down in an orderly way; its data stays for `restart`. Does nothing when it is down. */
  stop(): Promise<void>
  /** Ends it at once (SIGKILL), as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same port, stopping it first when it runs; with the same data, or with none. */
  restart(options?: { empty?: boolean }): Promise<void>
  /** Freezes it (SIGSTOP): connections stay open and nothing answers. */
  pause(): void
  /** Resumes a frozen one. */
  resume(): void
}

const ofServers = ['appendonly yes', 'appendfsync everysec', 'maxmemory-policy noeviction', 'save ""']

export interface Running {
  server: Bun.Subprocess
  guard: Bun.Subprocess
}

const startTimeoutMs = 60_000
/** Keeps the guards from being collected: each takes the end of its input for the end of this process. */
const running = new Set<Running>()

/**
 * Starts a Redis for a test: a free port, a new folder, append-only file, no eviction. Resolves once it answers. It ends
 * with this process, however that ends. The program is `REDIS_SERVER`, else
 * `redis-server` or `valkey-server` on PATH. Throws when there is none, or when it does not come up within a minute.
 */
export async function testRedis(): Promise<TestRedis> {
  const dir = tempDir()
  const { port, started } = await startSomewhere(dir)
  let current: Running | undefined = started

  async function end(signal: 'SIGTERM' | 'SIGKILL') {
    const ended = current
    current = undefined
    if (ended) await endServer(ended, signal)
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    dir,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async restart({ empty = false } = {}) {
      await end('SIGTERM')
      if (empty) rmSync(join(dir, 'appendonlydir'), { recursive: true, force: true })
      current = await startServer(port, dir)
    },
    pause: () => current?.server.kill('SIGSTOP'),
    resume: () => current?.server.kill('SIGCONT'),
  }
}

/** A free port may be taken by another process before the server has it. */
async function startSomewhere(dir: string, tries = 3): Promise<{ port: number; started: Running }> {
  const port = await freePort()
  try {
    return { port, started: await startServer(port, dir) }
  } catch (error) {
    if (tries === 1 || (await isFree(port))) throw error
    return await startSomewhere(dir, tries - 1)
  }
}

/** Ends a server that was started here. */
export async function endServer(ended: Running, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  ended.server.kill('SIGCONT')
  ended.server.kill(signal)
  await ended.server.exited
  ended.guard.kill('SIGKILL')
  running.delete(ended)
}

/** Starts a Redis, or with `isSentinel` a Sentinel, with these settings besides the usual ones, and waits until it answers. */
export async function startServer(
  port: number,
  dir: string,
  { lines = [], isSentinel = false }: { lines?: readonly string[]; isSentinel?: boolean } = {},
): Promise<Running> {
  const program = findProgram()
  const config = join(dir, 'redis.conf')
  writeFileSync(
    config,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${dir}`,
      ...(isSentinel ? [] : ofServers),
      ...lines,
      'loglevel warning',
      `logfile ${join(dir, 'redis.log')}`,
    ].join('\n'),
  )
  const server = Bun.spawn([program, config, ...(isSentinel ? ['--sentinel'] : [])], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    env: process.env,
  })
  const started = { server, guard: afterUs('kill -9 "$0"', String(server.pid)) }
  running.add(started)
  server.unref()
  const isUp = () => server.exitCode !== null || answers(port, config)
  await until(isUp, { timeoutMs: startTimeoutMs, what: `${program} to answer on port ${port}` }).catch(
    async (error: Error) => {
      // It would hold the port of the next attempt.
      await endServer(started, 'SIGKILL')
      throw error
    },
  )
  if (server.exitCode !== null) {
    await endServer(started, 'SIGKILL')
    const said = await Bun.file(join(dir, 'redis.log'))
      .text()
      .catch(() => '')
    throw new Error(`${program} ended with ${server.exitCode} instead of starting. ${said.trim()}`)
  }
  return started
}

const programName = () => process.env.REDIS_SERVER || Bun.which('redis-server') || Bun.which('valkey-server')

/** Whether there is a program that tests can start. */
export const hasRedisServer = (): boolean => Boolean(programName())

function findProgram(): string {
  const program = programName()
  if (!program)
    throw new Error('No Redis to test with: install redis-server or valkey-server, or name it in REDIS_SERVER')
  return program
}

/** Whether the server with this configuration answers on a port. By a socket, so that this package needs no Redis client. */
function answers(port: number, config: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const finish = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    let said = ''
    socket.setTimeout(1000, () => finish(false))
    socket.once('connect', () => socket.write('PING\r\nINFO server\r\n'))
    socket.on('data', (data) => {
      said += data
      if (said.includes(`config_file:${config}\r\n`)) finish(said.startsWith('+PONG'))
    })
    socket.once('error', () => finish(false))
    socket.once('close', () => finish(false))
  })
}
