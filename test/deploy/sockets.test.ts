// The sockets beside the services' ports, on the platform as scripts/start runs it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceName, services } from '@bursar/contracts/services'
import { holderOf } from '@bursar/store/file-lock'
import { until } from '@bursar/testing'
import { type ProcessStack, startProcesses } from './process-stack'

const names: ServiceName[] = [
  'gateway',
  'identity-manager',
  'main-api',
  'participant',
  'quote',
  'customer',
  'log-tracker',
]
let stack: ProcessStack
let headers: Record<string, string>
let folder: string

beforeAll(async () => {
  stack = await startProcesses(
    { TRUSTED_PROXIES: '127.0.0.1', RESTART_WAIT_MS: '60000', UPSTREAM_TIMEOUT_MS: '120000' },
    names,
  )
  headers = await stack.logIn()
  folder = join(stack.env.DATA_DIR ?? '', 'sockets')
})
afterAll(() => stack?.stop())

const fileOf = (name: ServiceName): string => join(folder, `${new URL(stack.url(name)).port}.sock`)
const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(stack.url('gateway') + path, { ...init, headers: { ...headers, ...init.headers } })

/** Another server in the place of a service's socket, which tells what it is asked. */
function pretend(name: ServiceName): () => Promise<void> {
  const file = fileOf(name)
  renameSync(file, `${file}.kept`)
  const server = Bun.serve({
    unix: file,
    fetch: (request) => Response.json({ socket: true, url: request.url, headers: request.headers }),
  })
  return async () => {
    await server.stop(true)
    renameSync(`${file}.kept`, file)
  }
}

test('every service but the gateway has a socket, for its user alone', () => {
  const expected = names.filter((name) => name !== 'gateway').map((name) => fileOf(name))
  expect(
    readdirSync(folder)
      .map((name) => join(folder, name))
      .sort(),
  ).toEqual(expected.sort())
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const file of expected) expect(statSync(file).mode & 0o777).toBe(0o600)
})

describe('the gateway', () => {
  test('forwards by the socket, with the address of its caller; by the port when the file is away', async () => {
    const give = pretend('quote')
    const asked = (await (
      await ask('/quote/v1/assets?limit=1', { headers: { 'x-forwarded-for': 'forged, 203.0.113.9' } })
    ).json()) as { socket: boolean; url: string; headers: Record<string, string> }
    expect(asked).toMatchObject({ socket: true, url: `${stack.url('quote')}/v1/assets?limit=1` })
    expect(asked.headers['x-forwarded-for']).toBe('203.0.113.9')
    expect(asked.headers['x-identity']).toBeString()
    await give()
    expect((await ask('/quote/v1/assets')).status).toBe(200)
    renameSync(fileOf('quote'), `${fileOf('quote')}.kept`)
    // By a connection that is kept, or by the port.
    expect((await ask('/quote/v1/assets')).status).toBe(200)
    renameSync(`${fileOf('quote')}.kept`, fileOf('quote'))
  })

  test('shows a service the address that failures are counted by', async () => {
    const guess = (email: string, address: string) =>
      ask('/identity/v1/auth/login', {
        method: 'POST',
        headers: { authorization: '', 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ email, password: 'wrong' }),
      })
    for (let i = 0; i < 5; i++) expect((await guess(`guess-${i}@bank.example`, '203.0.113.5')).status).toBe(401)
    expect((await guess('guess-6@bank.example', '203.0.113.5')).status).toBe(429)
    expect((await guess('guess-6@bank.example', '203.0.113.6')).status).toBe(401)
  })

  test('passes a stream on as it comes, and its end to the service', async () => {
    const readers = async () =>
      /^bursar_stream_readers(?:\{.*\})? (\d+)/m.exec(
        await (await fetch(`${stack.url('log-tracker')}/metrics`)).text(),
      )?.[1]
    const stop = new AbortController()
    const stream = await ask('/tracker/v1/log-messages/stream', { signal: stop.signal })
    expect(stream.headers.get('content-type')).toStartWith('text/event-stream')
    await until(async () => (await readers()) === '1', { what: 'the reader' })
    // What came meanwhile may come with it.
    expect(new TextDecoder().decode((await stream.body?.getReader().read())?.value)).toStartWith(
      ': messages follow\n\n',
    )
    stop.abort()
    await until(async () => (await readers()) === '0', { what: 'the end of the stream' })
  })
})

test('a service that is killed leaves a file, which the next replaces; no request with a key is lost', async () => {
  const pidOf = () => holderOf(join(stack.env.DATA_DIR ?? '', `${services.customer.slug}.sqlite`))?.pid
  const before = pidOf() as number
  let isOver = false
  let count = 0
  const failed: string[] = []
  const load = (async () => {
    while (!isOver) {
      const externalId = `k-${count++}`
      const body = JSON.stringify({ externalId, status: 'active' })
      const answer = await ask('/customer/v1/customers', {
        method: 'POST',
        headers: { 'idempotency-key': externalId },
        body,
      })
      if (answer.status !== 201) failed.push(`${answer.status} ${await answer.text()}`)
    }
  })()
  await until(() => count > 10, { what: 'the first answers' })
  const { ctimeMs } = statSync(fileOf('customer'))
  process.kill(before, 'SIGKILL')
  await until(() => ![undefined, before].includes(pidOf()) && existsSync(fileOf('customer')), {
    what: 'the next process',
  })
  const isReplaced = () =>
    ![undefined, ctimeMs].includes(statSync(fileOf('customer'), { throwIfNoEntry: false })?.ctimeMs)
  await until(isReplaced, { what: 'its socket' })
  const seen = count
  await until(() => count > seen + 10, { what: 'answers of the next process' })
  isOver = true
  await load
  expect(failed).toEqual([])
  const all = await ask('/customer/v1/customers?limit=1&count=true')
  expect(all.headers.get('x-total-count')).toBe(String(count))
  expect((await fetch('http://localhost/health/live', { unix: fileOf('customer') })).status).toBe(200)
})
