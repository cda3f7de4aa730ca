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

test('what cannot be read may wait: it is told, without the reason', async () => {
  const orders = async () => {
    throw new Error('the page of bank.internal is damaged')
  }
  const health = plainHealth('wallet', '1', { database: usable }, { orders })
  const { status, waiting } = health.body(await health.read())
  expect(status).toBe('degraded')
  expect(waiting).toEqual([expect.stringContaining('cannot be read (orders)')])
  expect(JSON.stringify(waiting)).not.toContain('bank.internal')
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
