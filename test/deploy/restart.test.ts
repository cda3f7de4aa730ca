// `bun run restart` under load: every request through the gateway gets its answer, also those that the restarting service is to
// answer itself, and those that it is asked for by others.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type ServiceName, services } from '@bursar/contracts/services'
import { until } from '@bursar/testing'
import { type ProcessStack, runOn, startProcesses } from './process-stack'

setDefaultTimeout(600_000)

const names = (Object.keys(services) as ServiceName[]).filter((name) => name !== 'gateway')
let stack: ProcessStack
let headers: Record<string, string>

beforeAll(async () => {
  // A busy machine takes long to start a service.
  stack = await startProcesses({ RESTART_WAIT_MS: '60000', UPSTREAM_TIMEOUT_MS: '120000' })
  headers = await stack.logIn()
})
afterAll(() => stack?.stop())

const ask = (method: string, path: string, body?: unknown, sent: Record<string, string> = headers): Promise<Response> =>
  fetch(stack.url('gateway') + path, { method, headers: sent, body: body === undefined ? null : JSON.stringify(body) })

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

/**
 * Two callers send requests of all kinds at once, and the next when these are answered, until `work` has ended; answers how
 * many were sent, and those that failed. While the service is away they wait for it: what it does not answer would only
 * keep the machine busy.
 */
async function underLoad(name: ServiceName, work: () => Promise<void>): Promise<{ sent: number; failed: string[] }> {
  const failed: string[] = []
  let sent = 0
  let isOver = false
  const ask = async (send: (name: ServiceName) => Promise<Response>) => {
    const answer = await send(name)
    sent += 1
    if (answer.status >= 400) failed.push(`${answer.status} ${answer.url} ${await answer.text()}`)
    else await answer.body?.cancel()
  }
  const callers = [1, 2].map(async () => {
    while (!isOver) await Promise.all(kinds.map(ask))
  })
  try {
    await until(() => sent > 2 * kinds.length, { timeoutMs: 60_000, what: 'the first answers' })
    await work()
  } finally {
    isOver = true
  }
  await Promise.all(callers)
  return { sent, failed }
}

async function restart(name: string): Promise<void> {
  const { code, error, out } = await runOn(stack, 'restart', name)
  expect([code, error]).toEqual([0, ''])
  expect(out).toMatch(new RegExp(`^${name} runs again \\(\\d+\\.\\d s\\)\\n$`))
}

test.each(names)('the restart of %s loses no request', async (name) => {
  const { sent, failed } = await underLoad(name, () => restart(name))
  expect(failed.slice(0, 3)).toEqual([])
  expect(sent).toBeGreaterThan(20)
})

test('a service that nobody has is refused before anything is stopped', async () => {
  const { code, error, out } = await runOn(stack, 'restart', 'customer', 'bank')
  expect([code, out]).toEqual([1, ''])
  expect(error).toStartWith('There is no service bank; there are gateway, ')
})
