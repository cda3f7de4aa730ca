import { describe, expect, test } from 'bun:test'
import type { DeadLetter, Operations, ServiceState } from './health-query'
import { groupLetters, oldestEvent, problemsOf, sumOf } from './health-state'

const now = Date.parse('2026-11-22T07:00:00.000Z')
const operations = (more: Partial<Operations> = {}): Operations => ({
  version: '0.1.0',
  startedAt: '2026-11-22T06:00:00.000Z',
  checks: [],
  failures: {},
  waiting: [],
  figures: {},
  outbox: { waiting: 0, oldestAt: null, problem: null, unknown: [] },
  queue: { depth: 0, deadLetters: 0 },
  consumers: [],
  database: { bytes: 1, logBytes: 1 },
  diskFreeBytes: 100 * 1024 ** 3,
  ...more,
})
const service = (name: string, more: Partial<ServiceState> = {}): ServiceState => ({
  instances: [],
  name,
  slug: name,
  status: 'ok',
  ms: 1,
  problem: null,
  operations: operations(),
  ...more,
})

describe('what must be looked at', () => {
  test('what waits for a person, in the words of its service', () => {
    const waiting = ['2 orders wait: bun run wallet:held', 'Withdrawals wait for 1 shortfall: bun run reconcile']
    const found = problemsOf([service('a', { operations: operations({ waiting }) })], now)
    expect(found).toEqual(waiting.map((words) => ({ service: 'a', tone: 'wait' as const, words })))
  })

  test('nothing while all is well, and while events are a few seconds old', () => {
    const outbox = { waiting: 3, oldestAt: '2026-11-22T06:59:30.000Z', problem: null, unknown: [] }
    expect(problemsOf([service('a'), service('b', { operations: operations({ outbox }) })], now)).toEqual([])
  })

  test('services that do not answer, old events, unknown ones, dead letters, a full disk; what failed comes first', () => {
    const outbox = {
      waiting: 2,
      oldestAt: '2026-11-22T06:00:00.000Z',
      problem: 'Redis is away',
      unknown: [{ name: 'a.b.gone', count: 1, oldestAt: '2026-11-22T06:00:00.000Z' }],
    }
    const found = problemsOf(
      [
        service('a', { operations: operations({ outbox }) }),
        service('b', { status: 'away', problem: 'The b service cannot be reached', operations: null }),
        service('c', { operations: operations({ queue: { depth: 5000, deadLetters: 2 }, diskFreeBytes: 1024 ** 3 }) }),
      ],
      now,
    )
    expect(found.map(({ service, tone, words }) => `${service} ${tone}: ${words}`)).toEqual([
      'a bad: 1 event in the outbox that this release does not know: a.b.gone.',
      'b bad: The b service cannot be reached',
      'c bad: 2 dead letters.',
      'c bad: 1.0 GiB of disk left.',
      'a wait: 2 events not published yet. Redis is away',
      'c wait: 5,000 jobs on the queue.',
    ])
  })
})

test('a sum over those that say it, and nothing where none does', () => {
  const silent = service('x', { operations: operations({ queue: { depth: null, deadLetters: null } }) })
  const depth = ({ queue }: Operations) => queue.depth
  expect(sumOf([silent, service('y', { operations: null })], depth)).toBeNull()
  expect(
    sumOf([silent, service('y', { operations: operations({ queue: { depth: 4, deadLetters: 0 } }) })], depth),
  ).toBe(4)
})

test('the oldest event of all services', () => {
  const at = (oldestAt: string) =>
    service('a', { operations: operations({ outbox: { waiting: 1, oldestAt, problem: null, unknown: [] } }) })
  expect(oldestEvent([at('2026-11-22T06:00:00Z'), at('2026-11-22T05:00:00Z'), service('b')])).toBe(
    '2026-11-22T05:00:00Z',
  )
  expect(oldestEvent([service('b')])).toBeNull()
})

test('dead letters that differ in ids and numbers alone are one group', () => {
  const letter = (id: string, error: string, name = 'x.y.made'): DeadLetter => ({
    id,
    consumer: 'webhook',
    events: [{ id, name }],
    attempts: 25,
    error,
    at: `2026-11-22T06:00:0${id}.000Z`,
  })
  const groups = groupLetters([
    letter('1', 'No account 01a1fe8f-0000-7000-8000-0000000000d1'),
    letter('2', 'No account 01a1fe8f-0000-7000-8000-0000000000d2'),
    letter('3', 'Timeout after 15 s'),
    letter('4', 'Timeout after 15 s', 'x.y.gone'),
  ])
  expect(groups.map(({ letters, events }) => [letters.map(({ id }) => id), events])).toEqual([
    [['1', '2'], ['x.y.made']],
    [['3'], ['x.y.made']],
    [['4'], ['x.y.gone']],
  ])
  expect([groups[0]?.oldestAt, groups[0]?.newestAt]).toEqual(['2026-11-22T06:00:01.000Z', '2026-11-22T06:00:02.000Z'])
})
