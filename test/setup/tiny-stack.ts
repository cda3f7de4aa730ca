// A stack of two services as small as can be, under the real runner, and what its tests ask of its processes.
import { afterEach, beforeEach } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { freePort, tempDir, until } from '@bursar/testing'
import { RedisClient } from 'bun'
import { programOfCommand } from '../commands'

/** A service as small as can be: healthy at once, its process id at /pid, and it ends with code 3 when asked to. */
const tinyService = `
  const port = Number(process.env[process.argv[2]])
  Bun.serve({ port, hostname: '127.0.0.1', fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/die') setTimeout(() => process.exit(3), 1)
    return new Response(pathname === '/pid' ? String(process.pid) : 'ok')
  } })
  console.log('first line\\nsecond line')
`

export let folder: string
export let ports: { quote: number; tracker: number; redis: number }
let started: Runner[]
let program: string

/** Each test of the file gets a folder and ports of its own, and leaves no runner behind. */
export function eachWithTinyStack(): void {
  beforeEach(async () => {
    folder = tempDir()
    ports = { quote: await freePort(), tracker: await freePort(), redis: await freePort() }
    started = []
    program = await programOfCommand('run-stack')
    writeFileSync(join(folder, 'tiny.ts'), tinyService)
  })

  afterEach(async () => {
    for (const runner of started) runner.process.kill('SIGKILL')
    await Promise.all(started.map((runner) => runner.process.exited))
  })
}

export interface Runner {
  process: Bun.Subprocess
  output: string
  /** Resolves once the output holds this text. */
  says(text: string): Promise<void>
}

interface Starting {
  args?: string[]
  env?: Record<string, string>
  procfile?: string
  /** The command line that starts it. */
  under?: string[]
}

/** Starts the runner on two tiny services, or on another Procfile. */
export function start(options: Starting = {}): Runner {
  const tiny = join(folder, 'tiny.ts')
  const procfile = join(folder, 'Procfile')
  const usual = `quote: exec bun ${tiny} QUOTE_PORT\n\n# a comment\nlog-tracker: exec bun ${tiny} TRACKER_PORT\n`
  writeFileSync(procfile, options.procfile ?? usual)
  const command = ['bun', '--no-env-file', program, '--procfile', procfile]
  const process_ = Bun.spawn([...(options.under ?? []), ...command, ...(options.args ?? [])], {
    env: {
      PATH: process.env.PATH,
      REDIS_SERVER: process.env.REDIS_SERVER,
      DATA_DIR: join(folder, "it's data"),
      QUOTE_PORT: String(ports.quote),
      TRACKER_PORT: String(ports.tracker),
      REDIS_PORT: String(ports.redis),
      ...options.env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const runner: Runner = {
    process: process_,
    output: '',
    async says(text) {
      await until(() => runner.output.includes(text), { what: `"${text}"` })
    },
  }
  void collect(process_.stdout, runner)
  void collect(process_.stderr, runner)
  started.push(runner)
  return runner
}

async function collect(stream: ReadableStream<Uint8Array>, runner: Runner): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of stream) runner.output += decoder.decode(chunk, { stream: true })
}

export const pidAt = async (port: number): Promise<number> =>
  Number(await (await fetch(`http://127.0.0.1:${port}/pid`)).text())

export const passwordFile = () => join(folder, "it's data", 'redis.password')

/** As whoever may read the data folder reaches the stack's Redis. */
const withPassword = (port: number): string =>
  `redis://:${encodeURIComponent(readFileSync(passwordFile(), 'utf8').trim())}@127.0.0.1:${port}`

export async function shutDownRedis(port: number): Promise<void> {
  const client = new RedisClient(withPassword(port), { autoReconnect: false })
  await client.send('SHUTDOWN', ['NOSAVE']).catch(() => {})
  client.close()
}

export function consumer(port: number): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>()
  const server = createServer().once('error', reject)
  server.listen({ host: '127.0.0.1', port }, () => resolve(server))
  return promise
}
