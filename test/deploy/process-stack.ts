// The platform as scripts/start runs it: a process for each service, on ports, a Redis and a data folder of its own.
import { dirname } from 'node:path'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { freePort, tempDir, testRedis, until } from '@bursar/testing'
import { type Requests, requestsTo } from '@bursar/testing/service'
import { makeCheapSeed } from '../cheap-seed'
import { lineOfCommand, runCommand } from '../commands'

const root = dirname(dirname(import.meta.dir))

export interface ProcessStack {
  env: Record<string, string>
  url(name: ServiceName): string
  /** Sends requests to a service itself, behind `/v1`. */
  to(name: ServiceName): Requests
  /** Headers of the first administrator, for requests through the gateway. */
  logIn(): Promise<Record<string, string>>
  stop(): Promise<void>
}

const password = 'a password of this test'

/** Starts all services, or those that are named, with options of the starter; resolves once each of them answers. */
export async function startProcesses(
  settings: Record<string, string> = {},
  names: readonly ServiceName[] = serviceNames,
  options: readonly string[] = [],
): Promise<ProcessStack> {
  const redis = await testRedis()
  const ports = await Promise.all(
    serviceNames.map(async (name) => [`${services[name].slug.toUpperCase()}_PORT`, String(await freePort())]),
  )
  const env: Record<string, string> = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    DATA_DIR: tempDir(),
    REDIS_URL: redis.url,
    ADMIN_PASSWORD: password,
    RATE_LIMIT_PER_SECOND: '1000000',
    ...Object.fromEntries(ports),
    ...settings,
  }
  await makeCheapSeed(env.DATA_DIR ?? '')
  const command = await lineOfCommand('run-stack', '--only', names.join(','), ...options)
  const stack = Bun.spawn(command, { cwd: root, env, stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' })
  const url = (name: ServiceName) => `http://127.0.0.1:${env[`${services[name].slug.toUpperCase()}_PORT`]}`
  const to = (name: ServiceName) =>
    requestsTo(
      { handle: (request) => fetch(new Request(request.url.replace('http://localhost', url(name)), request)) },
      '/v1',
    )
  const stop = async () => {
    stack.kill('SIGTERM')
    await stack.exited
    await redis.stop()
  }
  try {
    const waits = names.map((name) => until(async () => (await fetch(`${url(name)}/health/live`)).ok, { what: name }))
    await Promise.all(waits)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    env,
    url,
    to,
    async logIn() {
      const answer = await fetch(`${url('gateway')}/identity/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'admin@localhost', password }),
      })
      const { data } = (await answer.json()) as { data: { accessToken: string } }
      return { authorization: `Bearer ${data.accessToken}`, 'content-type': 'application/json' }
    },
    stop,
  }
}

/** How long a caller waits before its next requests: more of them would only keep the machine from the work. */
const pauseMs = 60

/**
 * Each caller sends its requests at once, and again a moment after they are answered, until `work` has ended; `work` begins
 * after `first` answers. Answers how many were sent, and those that failed.
 */
export async function underLoad(
  callers: readonly (() => Promise<Response[]>)[],
  work: () => Promise<void>,
  { first = 0, allowed = [] }: { first?: number; allowed?: readonly number[] } = {},
): Promise<{ sent: number; failed: string[] }> {
  const failed: string[] = []
  let sent = 0
  let isOver = false
  const loops = callers.map(async (send) => {
    while (!isOver) {
      for (const answer of await send()) {
        sent += 1
        if (answer.status >= 400 && !allowed.includes(answer.status))
          failed.push(`${answer.status} ${answer.url} ${await answer.text()}`)
        else await answer.body?.cancel()
      }
      await Bun.sleep(pauseMs)
    }
  })
  try {
    await until(() => sent >= first, { what: 'the first answers' })
    await work()
  } finally {
    isOver = true
  }
  await Promise.all(loops)
  return { sent, failed }
}

/** Runs a command of ours on the stack, with its settings. */
export const runOn = ({ env }: ProcessStack, script: string, ...args: string[]) => runCommand(script, args, { env })
