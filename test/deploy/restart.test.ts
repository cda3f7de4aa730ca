// `bun run restart` under load: every request through the gateway gets its answer, also those that the restarting service is to
// answer itself, and those that it is asked for by others.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { type ProcessStack, runOn, startProcesses, underLoad } from './process-stack'

const names = serviceNames.filter((name) => name !== 'gateway')
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
/** Reads and writes, with a key and without, one of them with calls below it. */
const kinds: (() => Promise<Response>)[] = [
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

test('a restart of each service after the other loses no request', async () => {
  const live = (name: ServiceName) => ask('GET', `/${services[name].slug}/v1/health/live`)
  // Of every second service each: while one caller waits for that which is away, the other one asks the next.
  const callers = [0, 1].map((parity) => {
    const own = names.filter((_, place) => place % 2 === parity)
    return () => Promise.all([...[...own, ...own].map(live), ...kinds.map((send) => send())])
  })
  let out = ''
  const restart = async () => {
    const ended = await runOn(stack, 'restart', ...names)
    expect([ended.code, ended.error]).toEqual([0, ''])
    out = ended.out
  }
  const { sent, failed } = await underLoad(callers, restart, { first: 2 * (names.length + kinds.length) + 1 })
  expect(failed.slice(0, 3)).toEqual([])
  expect(out.replaceAll(/\d+\.\d/g, 'some')).toBe(names.map((name) => `${name} runs again (some s)\n`).join(''))
  expect(sent).toBeGreaterThan(20 * names.length)
})

test('a service that nobody has is refused before anything is stopped', async () => {
  const { code, error, out } = await runOn(stack, 'restart', 'customer', 'bank')
  expect([code, out]).toEqual([1, ''])
  expect(error).toStartWith('There is no service bank; there are gateway, ')
})
