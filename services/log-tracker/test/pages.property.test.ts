import { expect, test } from 'bun:test'
import { type LogEntry, logStatuses } from '@bursar/contracts/log-entry'
import { type Db, retire } from '@bursar/store'
import fc from 'fast-check'
import { listLogMessages } from '../src/log-messages/log-messages'
import { type LogMessage, type LogMessageQuery, sortKeys } from '../src/log-messages/log-messages.model'
import { logSeries, timeBlockCounts } from '../src/log-messages/log-messages.table'
import { recordLogMessages } from '../src/log-messages/record-log-messages'
import { retainedMessages } from '../src/log-messages/retention'
import { readTimeBlocks } from '../src/log-messages/time-blocks'
import { testTracker } from './harness'

const startMs = Date.UTC(2026, 0, 31)
const moment = fc.integer({ min: -20, max: 60 }).map((ms) => new Date(startMs + ms))
const types = ['WALLET_CREATED', 'ERROR_OCCURRED', 'HEALTH_CHECK'] as const

const [bought, sold] = ['01a1fe8f-0000-7000-8000-000000000001', '01a1fe8f-0000-7000-8000-000000000002']

const entry: fc.Arbitrary<LogEntry> = fc.record({
  service: fc.constantFrom('quote', 'account', 'wallet', 'core-ledger'),
  request_id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  event_type: fc.constantFrom(...types),
  status: fc.constantFrom(...logStatuses),
  timestamp: moment.map((time) => time.toISOString()),
  metadata: fc.constantFrom({}, { transaction_id: bought }, { transaction_id: sold }, { transaction_id: 7 }),
})
const perhaps = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const query: fc.Arbitrary<LogMessageQuery> = fc
  .record({
    limit: fc.integer({ min: 0, max: 12 }),
    offset: fc.integer({ min: 0, max: 12 }),
    sortBy: fc.constantFrom(...sortKeys),
    sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
    dates: fc.tuple(perhaps(moment), perhaps(moment)),
    service: perhaps(fc.constantFrom('quote', 'account', 'nobody')),
    type: perhaps(fc.constantFrom(...types)),
    status: perhaps(fc.constantFrom(...logStatuses)),
    excludeTypes: perhaps(fc.uniqueArray(fc.constantFrom(...types), { maxLength: 2 })),
    transactionId: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 3 },
      { arbitrary: fc.constantFrom(bought, sold), weight: 1 },
    ),
    requestId: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 4 },
      { arbitrary: fc.constantFrom('a', 'b', 'z'), weight: 1 },
    ),
  })
  .map(({ dates: [one, other], ...rest }) => {
    const isReversed = one !== undefined && other !== undefined && one > other
    const [startDate, endDate] = isReversed ? [other, one] : [one, other]
    // As in a query: omitted parameters are absent.
    return Object.fromEntries(
      Object.entries({ ...rest, startDate, endDate }).filter(([, value]) => value !== undefined),
    ) as unknown as LogMessageQuery
  })

/** The expected page, computed naively. `all` is in order of arrival. */
function plainPage(all: readonly LogMessage[], asked: LogMessageQuery) {
  const { service, type, status, excludeTypes, requestId, transactionId } = asked
  const { startDate, endDate, sortBy, sortOrder, limit, offset } = asked
  const fits = all
    .map((message, place) => ({ message, place }))
    .filter(
      ({ message }) =>
        (service === undefined || message.service === service) &&
        (type === undefined || message.event_type === type) &&
        (status === undefined || message.status === status) &&
        (excludeTypes === undefined || !excludeTypes.includes(message.event_type)) &&
        (transactionId === undefined || message.metadata.transaction_id === transactionId) &&
        (requestId === undefined || message.request_id === requestId) &&
        (startDate === undefined || new Date(message.timestamp) >= startDate) &&
        (endDate === undefined || new Date(message.timestamp) <= endDate),
    )
    .sort(
      (a, b) =>
        compare(a.message[sortBy], b.message[sortBy]) ||
        compare(a.message.timestamp, b.message.timestamp) ||
        a.place - b.place,
    )
  if (sortOrder === 'desc') fits.reverse()
  const data = fits.slice(offset * limit, (offset + 1) * limit).map(({ message }) => message)
  const pagination = { total: fits.length, offset, limit, hasMore: offset * limit + data.length < fits.length }
  return { data, pagination }
}

const nameOf = ({ service, event_type, status }: LogMessage) => `${service} ${event_type} ${status}`
const namesLeft = async (read: Db): Promise<Set<string>> => {
  const rows = await read.select().from(logSeries)
  return new Set(rows.map(({ service, eventType, status }) => `${service} ${eventType} ${status}`))
}

/** Every block counts its messages, and those of each service and of each of the three names together. */
async function expectBlocksOf(read: Db, all: readonly LogMessage[]): Promise<void> {
  const counts = await read.select().from(timeBlockCounts)
  for (const { from, to, messages } of await readTimeBlocks(read)) {
    const inside = all.filter(({ timestamp }) => new Date(timestamp) >= from && new Date(timestamp) < to)
    expect(messages).toBe(inside.length)
    const counted = counts.filter(({ block }) => +block === +from)
    const whole = counted.filter(({ service, eventType, status }) => service && eventType && status)
    expect(whole.reduce((sum, each) => sum + each.messages, 0)).toBe(inside.length)
    for (const { messages, ...names } of counted) {
      const alike = inside.filter(
        ({ service, event_type, status }) =>
          [names.service || service, names.eventType || event_type, names.status || status].join() ===
          [service, event_type, status].join(),
      )
      expect(messages).toBe(alike.length)
    }
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Messages that come together, or the moment before which all leave. */
const step = fc.oneof({ arbitrary: fc.array(entry, { maxLength: 25 }), weight: 3 }, { arbitrary: moment, weight: 1 })

test('every page and total equals a naive computation over the same messages, of which old ones have left', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 10 }),
      fc.integer({ min: 3, max: 40 }),
      fc.array(query, { minLength: 20, maxLength: 20 }),
      fc.integer({ min: 1, max: 9 }),
      async (steps, splitAt, queries, partRows) => {
        const { store, close } = await testTracker()
        let all: LogMessage[] = []
        for (const step of steps) {
          if (step instanceof Date) {
            await retire(store, retainedMessages, { before: step, archive: null }, { together: 7, deleted: 3 })
            all = all.filter(({ timestamp }) => new Date(timestamp) >= step)
            const [first, ...later] = await readTimeBlocks(store.read)
            expect(first?.messages === 0 && later.length > 0).toBe(false)
          } else {
            await store.commit(async (tx) => {
              all.push(...(await recordLogMessages(tx, step, splitAt)))
            })
          }
        }
        expect(await namesLeft(store.read)).toEqual(new Set(all.map(nameOf)))
        await expectBlocksOf(store.read, all)
        for (const asked of queries) {
          expect(await listLogMessages(store.read, asked, { partRows })).toEqual(plainPage(all, asked))
        }
        await close()
      },
    ),
    // A failure prints its seed, which differs in each run.
    { numRuns: 60 },
  )
})

test('the messages of a request read in parts equal those read at once, ties too', async () => {
  const many = await testTracker()
  const services = ['quote', 'account', 'quote', 'wallet', 'account']
  await many.record(
    ...Array.from({ length: 23 }, (_, n) => ({
      service: services[(n * 7) % 5] ?? '',
      request_id: 'r-one',
      timestamp: new Date(startMs + (n % 3)).toISOString(),
      metadata: { n },
    })),
  )
  for (const sortBy of ['timestamp', 'service', 'status', 'request_id'] as const) {
    for (const sortOrder of ['asc', 'desc'] as const) {
      const page = (partRows: number) =>
        listLogMessages(many.store.read, { requestId: 'r-one', sortBy, sortOrder, limit: 9, offset: 1 }, { partRows })
      const whole = await page(1000)
      expect([whole.data.length, whole.pagination.total]).toEqual([9, 23])
      for (const partRows of [1, 2, 5]) expect(await page(partRows)).toEqual(whole)
    }
  }
  await many.close()
})
