import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { freePort, tempDir, until } from '@bursar/testing'
import { RedisClient } from 'bun'

setDefaultTimeout(60_000)

const root = dirname(dirname(import.meta.dir))

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

let folder: string
let ports: { quote: number; tracker: number; redis: number }
let started: Runner[]

beforeEach(async () => {
  folder = tempDir()
  ports = { quote: await freePort(), tracker: await freePort(), redis: await freePort() }
  started = []
  writeFileSync(join(folder, 'tiny.ts'), tinyService)
})

afterEach(async () => {
  for (const runner of started) runner.process.kill('SIGKILL')
  await Promise.all(started.map((runner) => runner.process.exited))
})

describe('a stack that comes up', () => {
  test('says where everything is once every service is healthy', async () => {
    const runner = start()
    await runner.says('Bursar is ready')
    expect(runner.output).toContain(`quote        http://127.0.0.1:${ports.quote}`)
    expect(runner.output).toContain(`documentation http://127.0.0.1:${ports.tracker}/swagger`)
    expect(statSync(passwordFile()).mode & 0o777).toBe(0o600)
    const stranger = new RedisClient(`redis://127.0.0.1:${ports.redis}`, { autoReconnect: false })
    await expect(stranger.send('PING', [])).rejects.toThrow(/NOAUTH/)
    stranger.close()
    expect(runner.output).toContain(`redis        redis://***@127.0.0.1:${ports.redis}`)
    expect(await (await fetch(`http://127.0.0.1:${ports.quote}/health`)).text()).toBe('ok')
  })

  test('waits for processes, not for people, and says last what waits, where the console is, and the first password', async () => {
    const held = '2 orders from before a restore wait for an operator: bun run wallet:held'
    const lines = 'The first administrator is admin@localhost with the password x\\nIt is shown this once: log in\\n'
    writeFileSync(
      join(folder, 'first.ts'),
      `process.stderr.write('before\\n${lines}after\\n')
       Bun.serve({ port: Number(process.env.GATEWAY_PORT), hostname: '127.0.0.1', fetch({ url }) {
         if (new URL(url).pathname === '/health/live') return new Response('ok')
         return Response.json({ status: 'error', error: 'books: closed', waiting: ['${held}'] }, { status: 503 })
       } })`,
    )
    const gateway = await freePort()
    const procfile = `quote: exec bun ${join(folder, 'tiny.ts')} QUOTE_PORT\ngateway: exec bun ${join(folder, 'first.ts')}\n`
    const runner = start({ procfile, env: { GATEWAY_PORT: `${gateway}` } })
    await runner.says('It is shown this once')
    await runner.says('gateway | after')
    const [start_ = '', banner = ''] = runner.output.split('Bursar is ready')
    expect(start_).not.toContain('with the password')
    const at = (text: string) => banner.indexOf(text)
    const order = [
      `  gateway  http://127.0.0.1:${gateway}`,
      `documentation http://127.0.0.1:${gateway}/docs`,
      '  quote ',
      `What waits for a person:\n  gateway: ${held}\n`,
      `The console: http://127.0.0.1:${gateway}/console\n`,
      'The first administrator is admin@localhost with the password x\nIt is shown this once: log in\n',
    ]
    for (const text of order) expect(banner).toContain(text)
    expect(order.map(at)).toEqual(order.map(at).toSorted((one, other) => one - other))
    // What is not usable is told once it lasts: while services start it passes by itself.
    expect(banner).not.toContain('books: closed')
    await runner.says('Waits for a person: gateway: books: closed')
  })

  test('a start that fails shows the first password all the same', async () => {
    const words = 'The first administrator is admin@localhost with the password x'
    const runner = start({ procfile: `quote: echo '${words}' >&2; exit 7` })
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toContain(words)
  })

  test('puts the name in front of every line', async () => {
    const runner = start()
    await runner.says('Bursar is ready')
    expect(runner.output).toContain('quote       | first line\nquote       | second line\n')
    expect(runner.output).toContain('log-tracker | first line\nlog-tracker | second line\n')
  })

  test('starts only the services that --only names', async () => {
    const runner = start({ args: ['--only', 'log-tracker'] })
    await runner.says('Bursar is ready')
    expect(runner.output).not.toContain('quote')
  })
})

describe('a stack that ends', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`leaves nothing behind on ${signal} and exits with 0`, async () => {
      const runner = start()
      await runner.says('Bursar is ready')
      const pids = await Promise.all([pidAt(ports.quote), pidAt(ports.tracker)])
      runner.process.kill(signal)
      expect(await runner.process.exited).toBe(0)
      expect(pids.filter(isAlive)).toEqual([])
      expect(await isFree(ports.redis)).toBe(true)
    })
  }

  test('with --no-restart names the process that ended by itself, stops the others and exits with 1', async () => {
    const runner = start({ args: ['--no-restart'] })
    await runner.says('Bursar is ready')
    const pid = await pidAt(ports.tracker)
    await fetch(`http://127.0.0.1:${ports.quote}/die`)
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toContain('quote ended by itself with exit code 3; the stack stops.')
    expect(isAlive(pid)).toBe(false)
  })

  test('leaves nothing behind when the runner itself is killed', async () => {
    const runner = start()
    await runner.says('Bursar is ready')
    runner.process.kill('SIGKILL')
    const free = () => Promise.all([ports.quote, ports.tracker, ports.redis].map(isFree))
    await until(async () => (await free()).every(Boolean), { timeoutMs: 15_000, what: 'everything to end' })
  })

  test('gives up on a service that ends before it is healthy', async () => {
    const runner = start({ procfile: 'quote: echo no luck >&2; exit 7' })
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toContain('quote | no luck')
    expect(runner.output).toContain('quote ended by itself with exit code 7')
  })
})

describe('a process that dies', () => {
  test('is started again, and the others go on; the runner’s end still ends it', async () => {
    const runner = start()
    await runner.says('Bursar is ready')
    const [dead, other] = await Promise.all([pidAt(ports.quote), pidAt(ports.tracker)])
    process.kill(dead, 'SIGKILL')
    await runner.says(
      'quote ended by itself with signal SIGKILL; it is started again in 0.25 s (restart 1 of 5 in a minute).',
    )
    const born = await until(() => pidAt(ports.quote), { what: 'the quote service to be back' })
    expect(born).not.toBe(dead)
    expect(await pidAt(ports.tracker)).toBe(other)
    runner.process.kill('SIGKILL')
    await until(async () => (await isFree(ports.quote)) && (await isFree(ports.tracker)), {
      timeoutMs: 15_000,
      what: 'everything to end',
    })
  })

  test('is started again when it is Redis', async () => {
    const runner = start()
    await runner.says('Bursar is ready')
    await shutDownRedis(ports.redis)
    await runner.says('redis ended by itself with exit code 0')
    await until(async () => !(await isFree(ports.redis)), { what: 'Redis to be back' })
  })

  test('ends the stack when it has died too often', async () => {
    const runner = start()
    await runner.says('Bursar is ready')
    const died = until(
      async () => {
        await fetch(`http://127.0.0.1:${ports.quote}/die`).catch(() => {})
        return runner.process.exitCode !== null
      },
      { timeoutMs: 28_000, what: 'the stack to give up' },
    )
    await died
    expect(runner.process.exitCode).toBe(1)
    expect(runner.output).toContain('it is started again in 4 s (restart 5 of 5 in a minute)')
    expect(runner.output).toContain('after 5 restarts within a minute; the stack stops.')
  })
})

describe('a stack that cannot start', () => {
  test('names the port that is in use, whose it is and what to set', async () => {
    const holder = await consumer(ports.quote)
    const runner = start()
    expect(await runner.process.exited).toBe(1)
    holder.close()
    expect(runner.output).toBe(
      `Port ${ports.quote}, where quote listens, is in use: stop what uses it, or set QUOTE_PORT to a free port.\n`,
    )
  })

  test('names the folder that another stack uses, and that stack', async () => {
    const first = start()
    await first.says('Bursar is ready')
    const others = { quote: await freePort(), tracker: await freePort(), redis: await freePort() }
    const second = start({
      env: { QUOTE_PORT: `${others.quote}`, TRACKER_PORT: `${others.tracker}`, REDIS_PORT: `${others.redis}` },
    })
    expect(await second.process.exited).toBe(1)
    expect(second.output).toBe(
      `The folder ${join(folder, "it's data", 'redis')} is in use by process ${first.process.pid}: ` +
        'stop that one first, or set DATA_DIR to another folder.\n',
    )
  })

  test('names a REDIS_URL where nothing answers, without its password', async () => {
    const runner = start({ env: { REDIS_URL: `redis://me:secret@127.0.0.1:${ports.redis}` } })
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toContain(`REDIS_URL is redis://***@127.0.0.1:${ports.redis}, but no Redis answers there`)
  })

  test('names a port that is no port', async () => {
    const runner = start({ env: { TRACKER_PORT: '70000' } })
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toBe('TRACKER_PORT must be a port from 1 to 65535, not "70000".\n')
  })

  test('names the services there are when --only asks for another', async () => {
    const runner = start({ args: ['--only', 'quota'] })
    expect(await runner.process.exited).toBe(1)
    expect(runner.output).toBe('There is no service quota in the Procfile; it has quote, log-tracker.\n')
  })
})

interface Runner {
  process: Bun.Subprocess
  output: string
  /** Resolves once the output holds this text. */
  says(text: string): Promise<void>
}

/** Starts the runner on two tiny services, or on another Procfile. */
function start(options: { args?: string[]; env?: Record<string, string>; procfile?: string } = {}): Runner {
  const tiny = join(folder, 'tiny.ts')
  const procfile = join(folder, 'Procfile')
  const usual = `quote: exec bun ${tiny} QUOTE_PORT\n\n# a comment\nlog-tracker: exec bun ${tiny} TRACKER_PORT\n`
  writeFileSync(procfile, options.procfile ?? usual)
  const process_ = Bun.spawn(
    ['bun', '--no-env-file', join(root, 'scripts/run-stack.ts'), '--procfile', procfile, ...(options.args ?? [])],
    {
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
    },
  )
  const runner: Runner = {
    process: process_,
    output: '',
    async says(text) {
      await until(() => runner.output.includes(text), { timeoutMs: 25_000, what: `"${text}"` })
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

const pidAt = async (port: number): Promise<number> =>
  Number(await (await fetch(`http://127.0.0.1:${port}/pid`)).text())

const passwordFile = () => join(folder, "it's data", 'redis.password')

/** As whoever may read the data folder reaches the stack's Redis. */
const withPassword = (port: number): string =>
  `redis://:${encodeURIComponent(readFileSync(passwordFile(), 'utf8').trim())}@127.0.0.1:${port}`

async function shutDownRedis(port: number): Promise<void> {
  const client = new RedisClient(withPassword(port), { autoReconnect: false })
  await client.send('SHUTDOWN', ['NOSAVE']).catch(() => {})
  client.close()
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function consumer(port: number): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>()
  const server = createServer().once('error', reject)
  server.listen({ host: '127.0.0.1', port }, () => resolve(server))
  return promise
}

async function isFree(port: number): Promise<boolean> {
  try {
    ;(await consumer(port)).close()
    return true
  } catch {
    return false
  }
}
