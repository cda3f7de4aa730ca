import { expect, test } from 'bun:test'
import { createMetrics, plainHealth } from '@bursar/http'
import { createApp } from '../src/app'
import { openLedger } from './harness'

test('GET /health: 200 with the health record', async () => {
  const ledger = await openLedger()
  const { status, body } = await ledger.ask('GET', '/v1/health')
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'ok',
    timestamp: expect.stringMatching(/Z$/),
    service: 'core-ledger',
    version: ledger.deps.config.version,
  })
  await ledger.close()
})

test('GET /health: 503 with an error when the database or the audit fails', async () => {
  const ledger = await openLedger()
  const audit = () => Promise.reject(new Error('Balance of account x is wrong'))
  const health = plainHealth('core-ledger', 'test', { database: () => ledger.store.healthy(), audit })
  const app = createApp({ ...ledger.deps, metrics: createMetrics('core-ledger', '1'), health })
  const get = async () => {
    const response = await app.handle(new Request('http://localhost/health'))
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const wrong = await get()
  expect(wrong.status).toBe(503)
  expect(wrong.body).toMatchObject({ status: 'error', error: 'audit: Balance of account x is wrong' })
  await ledger.close()
  expect((await get()).body.error).toMatch(/^database: The store is closed/)
})
