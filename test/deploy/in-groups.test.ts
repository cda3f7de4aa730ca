// `scripts/start --in-groups`: four processes for all services, and what a restart of one of them means for the others.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { holderOf } from '@bursar/store/file-lock'
import { type ProcessStack, runOn, startProcesses, underLoad } from './process-stack'

let stack: ProcessStack

beforeAll(async () => {
  stack = await startProcesses({ RESTART_WAIT_MS: '60000', UPSTREAM_TIMEOUT_MS: '120000' }, undefined, ['--in-groups'])
})
afterAll(() => stack?.stop())

/** The services that each process runs; those that do not run by 0. */
function processesOf({ env }: ProcessStack): Map<number, ServiceName[]> {
  return Map.groupBy(
    serviceNames,
    (name) => holderOf(join(env.DATA_DIR ?? '', `${services[name].slug}.sqlite`))?.pid ?? 0,
  )
}
const processes = () => processesOf(stack)

const sorted = (groups: Iterable<readonly string[]>) => [...groups].map((names) => [...names].sort()).sort()

const expected = sorted([
  ['account', 'core-ledger', 'customer', 'quote', 'sanctions'],
  ['blockchain', 'wallet'],
  ['gateway', 'identity-manager', 'main-api', 'message', 'participant', 'transaction-manager'],
  ['log-tracker', 'notification', 'webhook'],
])

test('services that take the same steps of a payment share a process', () => {
  expect(sorted(processes().values())).toEqual(expected)
})

test('a restart of one of a group restarts the others of its process, and loses no request of the rest', async () => {
  const before = processes()
  const headers = await stack.logIn()
  const ask = (path: string) => fetch(stack.url('gateway') + path, { headers })
  const caller = () =>
    Promise.all([ask('/customer/v1/customers'), ask('/wallet/v1/health/live'), ask('/quote/v1/assets')])
  let out = ''
  const { failed } = await underLoad(
    [caller],
    async () => {
      const ended = await runOn(stack, 'restart', 'wallet')
      expect([ended.code, ended.error]).toEqual([0, ''])
      out = ended.out
    },
    { first: 6 },
  )
  expect(failed.slice(0, 3)).toEqual([])
  expect(out).toMatch(/^wallet, blockchain run again \(\d+\.\d s\)\n$/)
  const after = processes()
  expect(sorted(after.values())).toEqual(expected)
  const kept = [...before.keys()].filter((pid) => after.has(pid))
  expect(kept.flatMap((pid) => before.get(pid) ?? [])).not.toContain('wallet')
  expect(kept).toHaveLength(3)
})

test('a restart of all takes each process once, that of the gateway last', async () => {
  const before = processes()
  const { code, error, out } = await runOn(stack, 'restart')
  expect([code, error]).toEqual([0, ''])
  const told = [...out.matchAll(/^(.*) run again \(\d+\.\d s\)$/gm)].map(([, names = '']) => names.split(', '))
  expect(sorted(told)).toEqual(expected)
  expect(told.at(-1)).toContain('gateway')
  expect([...processes().keys()].filter((pid) => before.has(pid))).toEqual([])
})

test('all that run may be of one group: it is restarted', async () => {
  const two = await startProcesses({}, ['wallet', 'blockchain'], ['--in-groups'])
  try {
    const pids = () => [...processesOf(two).entries()].filter(([, names]) => names.includes('wallet'))
    const [before] = pids()
    const { code, error, out } = await runOn(two, 'restart')
    expect([code, error]).toEqual([0, ''])
    expect(out).toMatch(/^wallet, blockchain run again \(\d+\.\d s\)\n$/)
    const [after] = pids()
    expect([before?.[1], after?.[1], after?.[0] === before?.[0]]).toEqual([
      ['wallet', 'blockchain'],
      ['wallet', 'blockchain'],
      false,
    ])
  } finally {
    await two.stop()
  }
})
