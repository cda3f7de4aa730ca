// `bun run restart` under load: every request through the gateway gets its answer, also those that the restarting service is to
// answer itself, and those that it is asked for by others.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { dirname } from 'node:path'
import { type ServiceName, services } from '@bursar/contracts/services'
import { freePort, type TestRedis, tempDir, testRedis, until } from '@bursar/testing'

setDefaultTimeout(600_000)

const root = dirname(dirname(import.meta.dir))
const names = Object.keys(services) as ServiceName[]
const password = 'a password of this test'
let redis: TestRedis
let stack: Bun.Subprocess
let env: Record<string, string>
let gateway: string
let headers: Record<string, string>

beforeAll(async () => {
  redis = await testRedis()
  const ports = await Promise.all(
    names.map(async (name) => [`${services[name].slug.toUpperCase()}_PORT`, String(await freePort())]),
  )
  env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    DATA_DIR: tempDir(),
    REDIS_URL: redis.url,
    ADMIN_PASSWORD: password,
    RATE_LIMIT_PER_SECOND: '1000000',
    // A busy machine takes long to start a service.
    RESTART_WAIT_MS: '60000',
    UPSTREAM_TIMEOUT_MS: '120000',
    ...Object.fromEntries(ports),
  }
  gateway = `http://127.0.0.1:${env.GATEWAY_PORT}`
  const command = [process.execPath, '--no-env-file', 'scripts/run-stack.ts']
  stack = Bun.spawn(command, { cwd: root, env, stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' })
  for (const name of names)
    await until(async () => (await fetch(`${gateway}/${services[name].slug}/v1/health`)).ok || name === 'gateway', {
      timeoutMs: 240_000,
      what: name,
    })
  const admin = { email: 'admin@localhost', password }
  const answer = await ask('POST', '/identity/v1/auth/login', admin, { 'content-type': 'application/json' })
  const { data } = (await answer.json()) as { data: { accessToken: string } }
  headers = { authorization: `Bearer ${data.accessToken}`, 'content-type': 'application/json' }
})
afterAll(async () => {
  stack?.kill('SIGTERM')
  await stack?.exited
  await redis?.stop()
})

const ask = (method: string, path: string, body?: unknown, sent: Record<string, string> = headers): Promise<Response> =>
  fetch(gateway + path, { method, headers: sent, body: body === undefined ? null : JSON.stringify(body) })

let count = 0
/** Requests of a kind each: those of the service itself, and writes with and without a key, one of them with calls below it. */
const kinds: ((name: ServiceName) => Promise<Response>)[] = [
  (name) => ask('GET', `/${services[name].slug}/v1/health/live`),
  (name) => ask('GET', `/${services[name].slug}/v1/health/live`),
  () => ask('POST', '/customer/v1/customers', { externalId: `c-${count++}`, status: 'active' }),
  () => ask('POST', '/message/v1/messages', { type: 'TEXT', participantId: 'p', data: { text: 'hello' } }),
  () => ask('GET', '/quote/v1/assets'),
  async () => {
    const externalId = `a-${count++}`
    const made = await ask('POST', '/customer/v1/customers', { externalId, status: 'active' })
    const { id } = (await made.json()) as { id: string }
    const account = { accountExternalId: externalId, customerId: id, type: 'STABLECOINS', name: 'a', status: 'active' }
    return await ask('POST', '/account/v1/accounts', account, { ...headers, 'idempotency-key': externalId })
  },
]

/** Sends requests of all kinds until `work` has ended; answers how many were sent, and those that failed. */
async function underLoad(name: ServiceName, work: () => Promise<void>): Promise<{ sent: number; failed: string[] }> {
  const failed: string[] = []
  let sent = 0
  let isOver = false
  const loops = kinds.map(async (send) => {
    while (!isOver) {
      const answer = await send(name)
      sent += 1
      if (answer.status >= 400) failed.push(`${answer.status} ${answer.url} ${await answer.text()}`)
      else await answer.body?.cancel()
    }
  })
  await work().finally(() => {
    isOver = true
  })
  await Promise.all(loops)
  return { sent, failed }
}

async function restart(name: string): Promise<void> {
  const command = [process.execPath, '--no-env-file', 'scripts/restart.ts', name]
  const child = Bun.spawn(command, { cwd: root, env, stdout: 'pipe', stderr: 'pipe' })
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect([code, error]).toEqual([0, ''])
  expect(out).toMatch(new RegExp(`^${name} runs again \\(\\d+\\.\\d s\\)\\n$`))
}

test.each(names.filter((name) => name !== 'gateway'))('the restart of %s loses no request', async (name) => {
  const { sent, failed } = await underLoad(name, () => restart(name))
  expect(failed.slice(0, 3)).toEqual([])
  expect(sent).toBeGreaterThan(20)
})

test('a service that nobody has is refused before anything is stopped', async () => {
  const child = Bun.spawn([process.execPath, '--no-env-file', 'scripts/restart.ts', 'customer', 'bank'], {
    cwd: root,
    env,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await child.stderr.text()).toStartWith('There is no service bank; there are gateway, ')
  expect([await child.exited, await child.stdout.text()]).toEqual([1, ''])
})
