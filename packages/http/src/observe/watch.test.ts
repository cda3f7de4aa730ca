import { expect, jest, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import type { OpenStore } from '@bursar/store'
import { plainHealth } from './health'
import { inSnakeCase, startWatch } from './watch'

test('what waits for a person is in the log once when it begins, with the error of what cannot be read, and when it ends', async () => {
  jest.useFakeTimers()
  const lines: unknown[] = []
  const log = {
    ...silentLog,
    warn: (fields: object, message: string) => void lines.push({ ...fields, message }),
    info: (fields: object, message: string) => void lines.push({ ...fields, message }),
  }
  const waits: Record<string, () => Promise<string | null>> = { none: async () => null }
  const store = { commit: async () => {} } as unknown as OpenStore
  const health = plainHealth('wallet', '1', {}, waits)
  const watch = startWatch({ name: 'wallet', store, log, health, now: () => new Date() })
  const check = async () => {
    jest.advanceTimersByTime(11_000)
    for (let n = 0; n < 50; n++) await Promise.resolve()
    return lines.splice(0)
  }
  const error = new Error('a damaged page')
  expect(await check()).toEqual([])
  waits.orders = async () => '1 order waits'
  waits.sums = () => Promise.reject(error)
  expect(await check()).toEqual([
    { what: 'orders', message: 'Waits for a person: 1 order waits' },
    { what: 'sums', err: error, message: expect.stringContaining('cannot be read (sums)') },
  ])
  waits.orders = async () => '2 orders wait'
  expect(await check()).toEqual([])
  delete waits.orders
  expect(await check()).toEqual([{ what: 'orders', message: 'Waits for a person no more' }])
  await watch.stop()
  jest.useRealTimers()
})

test('names in the tracker’s metadata are in snake_case', () => {
  expect(inSnakeCase({ messageQueue: 'Redis does not answer', database: 'The disk is full' })).toEqual({
    message_queue: 'Redis does not answer',
    database: 'The disk is full',
  })
})
