import { expect, jest, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import type { OpenStore } from '@bursar/store'
import { plainHealth } from './health'
import { inSnakeCase, startWatch } from './watch'

test('why it cannot be read what waits for a person is in the log, once', async () => {
  jest.useFakeTimers()
  const lines: object[] = []
  const log = { ...silentLog, error: (fields: object) => void lines.push(fields) }
  const waits: Record<string, () => Promise<string | null>> = { orders: async () => '1 order waits' }
  const store = { commit: async () => {} } as unknown as OpenStore
  const health = plainHealth('wallet', '1', {}, waits)
  const watch = startWatch({ name: 'wallet', store, log, health, now: () => new Date() })
  const check = async () => {
    jest.advanceTimersByTime(11_000)
    for (let n = 0; n < 50; n++) await Promise.resolve()
    return lines.splice(0)
  }
  expect(await check()).toEqual([])
  const err = new Error('a damaged page')
  waits.orders = () => Promise.reject(err)
  expect(await check()).toEqual([{ err, what: 'orders' }])
  expect(await check()).toEqual([])
  waits.orders = async () => null
  expect(await check()).toEqual([])
  waits.orders = () => Promise.reject(err)
  expect(await check()).toEqual([{ err, what: 'orders' }])
  await watch.stop()
  jest.useRealTimers()
})

test('names in the tracker’s metadata are in snake_case', () => {
  expect(inSnakeCase({ messageQueue: 'Redis does not answer', database: 'The disk is full' })).toEqual({
    message_queue: 'Redis does not answer',
    database: 'The disk is full',
  })
})
