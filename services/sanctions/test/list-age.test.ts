import { expect, test } from 'bun:test'
import { config } from '../src/config'
import { listFailures } from '../src/lists/lists.table'
import { definition } from '../src/service'
import { bringList, clean, entry, refused, testSanctions } from './harness'

test('GET /sanctions/lists: 200 with version and age, and why the last update failed', async () => {
  const service = await testSanctions()
  const lists = async () => (await service.get('/sanctions/lists')).body
  expect(await lists()).toEqual([
    {
      source: 'OFAC SDN',
      origin: 'built in',
      version: '2024-09-27',
      publishedAt: '2024-09-27T00:00:00.000Z',
      loadedAt: '2024-09-30T12:00:00.000Z',
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      entries: 654,
      names: expect.any(Number),
      ageHours: 84,
      isOld: false,
      rescreened: 0,
      rescreenHits: 0,
      lastFailure: null,
    },
  ])
  service.clock.advance(5 * 24 * 60 * 60 * 1000)
  expect(await lists()).toMatchObject([{ ageHours: 204, isOld: true }])
  const headers = await service.asService('sanctions')
  for (const reason of ['It cannot be reached', 'It is no SDN list']) {
    const failure = { source: 'https://example.org/sdn.xml', reason }
    const { status, body } = await service.post('/internal/lists/failures', failure, headers)
    expect([status, body]).toEqual([201, failure])
  }
  const lastFailure = {
    at: '2024-10-05T12:00:00.000Z',
    origin: 'https://example.org/sdn.xml',
    reason: 'It is no SDN list',
  }
  expect(await lists()).toMatchObject([{ lastFailure }])
  service.clock.advance(1000)
  await bringList(service, [entry(clean.eth)], { publishedAt: '2024-10-05T00:00:00.000Z' })
  const loadedAt = '2024-10-05T12:00:01.000Z'
  expect(await lists()).toMatchObject([{ entries: 1, ageHours: 12, isOld: false, loadedAt, lastFailure: null }])
  await service.close()
})

test('a list is old from its eighth whole day on: GET /sanctions/lists and /health say so alike', async () => {
  const service = await testSanctions({ at: '2024-10-04T23:59:59.999Z' })
  const told = async () => {
    const health = (await service.get('/health')).body
    return [(await service.get('/sanctions/lists')).body[0].isOld, health.warnings?.length ?? 0]
  }
  expect(await told()).toEqual([false, 0])
  service.clock.advance(1)
  expect(await told()).toEqual([true, 1])
  await service.close()
})

test('what waits in every service is in the health of this one, too', async () => {
  const { health } = definition(config({}))
  const found = await health?.({}, { keys: async () => 'internal.secret lacks a key' }).read()
  expect(found?.waiting).toEqual(['internal.secret lacks a key'])
})

test('POST /internal/lists/failures: 401 for callers that are not services, 400 without a reason; the newest hundred stay', async () => {
  const service = await testSanctions()
  const failure = { source: 'sdn.xml', reason: 'No' }
  refused(await service.post('/internal/lists/failures', failure), 401)
  const headers = await service.asService('sanctions')
  refused(await service.post('/internal/lists/failures', { source: 'sdn.xml' }, headers), 400)
  for (let n = 0; n < 103; n++) await service.post('/internal/lists/failures', failure, headers)
  expect(await service.store.read.$count(listFailures)).toBe(100)
  await service.close()
})
