import { expect, test } from 'bun:test'
import { plainHealth } from './health'

const usable = async () => {}
const waits = { orders: async () => '2 orders wait: bun run wallet:held', none: async () => null }

test('what waits for a person is degraded, and usable', async () => {
  const health = plainHealth('wallet', '1', { database: usable }, waits)
  const result = await health.read()
  expect(result).toMatchObject({ healthy: true, checks: ['database'], failures: {} })
  expect(health.body(result)).toMatchObject({ status: 'degraded', waiting: ['2 orders wait: bun run wallet:held'] })
})

test('a check that fails is an error, whatever waits besides', async () => {
  const database = async () => {
    throw new Error('full')
  }
  const health = plainHealth('wallet', '1', { database }, waits)
  const result = await health.read()
  expect(result.healthy).toBe(false)
  expect(health.body(result)).toMatchObject({ status: 'error', error: 'database: full' })
})

test('nothing that waits is ok', async () => {
  const health = plainHealth('wallet', '1', { database: usable }, { none: async () => null })
  expect(health.body(await health.read())).toEqual({
    status: 'ok',
    timestamp: expect.any(String),
    service: 'wallet',
    version: '1',
  })
})
