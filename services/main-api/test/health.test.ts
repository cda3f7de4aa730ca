import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openService, type TestMainApi } from './harness'

let service: TestMainApi
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

test('the service is healthy', async () => {
  const { status, body } = await service.get('/health')
  expect([status, body.service, body.status]).toEqual([200, 'main-api', 'ok'])
})
