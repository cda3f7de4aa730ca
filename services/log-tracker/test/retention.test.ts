import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { LogEntry } from '@bursar/contracts/log-entry'
import { retire, retireOld } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { logSeries, timeBlockCounts } from '../src/log-messages/log-messages.table'
import { recordLogMessages } from '../src/log-messages/record-log-messages'
import { retainedMessages } from '../src/log-messages/retention'
import { readTimeBlocks } from '../src/log-messages/time-blocks'
import { envelopeOf, testTracker } from './harness'

const day = (number: number, time = '12:00:00.000') => `2026-01-${String(number).padStart(2, '0')}T${time}Z`

test('old messages go to the archive, month by month; lists, totals and a resumed stream know those that are left', async () => {
  const folder = join(tempDir(), 'archive')
  const tracker = await testTracker()
  await tracker.record(
    { timestamp: '2025-12-31T23:59:59.999Z', request_id: 'oldest', service: 'wallet', metadata: { amount: '1.50' } },
    { timestamp: day(1), request_id: 'old', event_type: 'ERROR_OCCURRED', status: 'FAILURE' },
    { timestamp: day(20), request_id: 'young' },
    // It came last, and tells of the oldest time.
    { timestamp: day(2), request_id: 'late' },
  )
  const before = (await tracker.get('/tracker/v1/log-messages?sortBy=timestamp&sortOrder=asc')).body.data
  const retire = (days: number) =>
    retireOld([{ retained: retainedMessages, days }], {
      store: tracker.store,
      folder,
      now: () => new Date(day(20)),
    })
  await retire(0)
  expect((await tracker.get('/tracker/v1/log-messages')).body.pagination.total).toBe(4)
  await retire(18)
  // Of the very moment it is not older.
  const left = (await tracker.get('/tracker/v1/log-messages?sortBy=timestamp&sortOrder=asc')).body
  expect([left.data, left.pagination.total]).toEqual([before.slice(2), 2])
  expect((await tracker.get('/tracker/v1/log-messages?type=ERROR_OCCURRED')).body.pagination.total).toBe(0)
  expect((await tracker.get('/tracker/v1/log-messages?service=wallet')).body.pagination.total).toBe(0)
  expect((await tracker.store.read.select().from(logSeries)).map(({ messages }) => messages)).toEqual([2])
  const [file = '', ...more] = [...new Bun.Glob('**/*').scanSync({ cwd: folder })]
  expect([file, more]).toEqual([
    expect.stringMatching(/^log_messages\/2025-12\/2025-12-31T235959\.999Z-1-[0-9a-f]{12}\.jsonl\.gz$/),
    [],
  ])
  const lines = Buffer.from(Bun.gunzipSync(await Bun.file(join(folder, file)).bytes())).toString()
  expect(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(before.slice(0, 2))
  await tracker.close()
})

test('of several blocks that become empty at once one is left', async () => {
  const { store, close } = await testTracker()
  for (const number of [1, 2, 3]) {
    const message = envelopeOf({ timestamp: day(number) }).data
    await store.commit((tx) => recordLogMessages(tx, [message], 2))
  }
  expect((await readTimeBlocks(store.read)).map(({ messages }) => messages)).toEqual([1, 1, 1])
  await retire(store, retainedMessages, { before: new Date(day(4)), archive: null })
  expect((await readTimeBlocks(store.read)).map(({ messages }) => messages)).toEqual([0])
  await close()
})

test('a first block that a split left empty becomes one with the next when messages of that leave', async () => {
  const { store, close } = await testTracker()
  const [old, young] = [1, 3].map((number) => envelopeOf({ timestamp: day(number) }).data)
  // All are of one moment, at which the later half begins.
  await store.commit((tx) => recordLogMessages(tx, [old, old] as LogEntry[], 2))
  await store.commit((tx) => recordLogMessages(tx, [young] as LogEntry[]))
  expect((await readTimeBlocks(store.read)).map(({ messages }) => messages)).toEqual([0, 3])
  await retire(store, retainedMessages, { before: new Date(day(2)), archive: null })
  expect((await readTimeBlocks(store.read)).map(({ messages }) => messages)).toEqual([1])
  expect((await store.read.select().from(timeBlockCounts)).map(({ messages }) => messages)).toEqual(Array(7).fill(1))
  await close()
})

test('messages with much metadata are read and archived a few at a time', async () => {
  const [tracker, folder] = [await testTracker(), tempDir()]
  const metadata = { text: 'x'.repeat(32_000) }
  await tracker.record(...Array.from({ length: 140 }, (_, n) => ({ timestamp: day(1), request_id: `r${n}`, metadata })))
  await retireOld([{ retained: retainedMessages, days: 10 }], {
    store: tracker.store,
    folder,
    now: () => new Date(day(20)),
  })
  const files = [...new Bun.Glob('log_messages/*/*.jsonl.gz').scanSync({ cwd: folder })]
  const counts = await Promise.all(
    files.map(async (file) => {
      const text = Buffer.from(Bun.gunzipSync(await Bun.file(join(folder, file)).bytes())).toString()
      return text.trimEnd().split('\n').length
    }),
  )
  // 4 MiB hold 131 of them.
  expect(counts.sort((a, b) => a - b)).toEqual([9, 131])
  expect((await tracker.get('/tracker/v1/log-messages')).body.pagination.total).toBe(0)
  await tracker.close()
})

test('TRACKER_RETENTION_DAYS is a number of days', async () => {
  expect(testTracker({ TRACKER_RETENTION_DAYS: 'ever' })).rejects.toThrow(
    'TRACKER_RETENTION_DAYS must be a whole number from 0 to 36500, not "ever"',
  )
})
