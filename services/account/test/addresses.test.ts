import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, notUuid, refused, type TestAccounts, testAccounts } from './harness'
import { failures, type Peer, startPeer } from './peers'

let wallet: Peer
let service: TestAccounts
let id: string
beforeAll(async () => {
  wallet = startPeer()
  service = await testAccounts({ wallet: wallet.server.url })
  id = (await service.post('/accounts', { type: 'STABLECOINS', status: 'active', name: 'An account' })).body.id
})
afterAll(async () => {
  await service.close()
  await wallet.server.stop()
})

describe('GET /accounts/:id/addresses', () => {
  test('200 with the current addresses of the wallet service', async () => {
    for (const addresses of [[], ['0xA', 'B'], ['0xA', 'B', 'C']]) {
      wallet.answers.set(`GET /internal/accounts/${id}/addresses`, addresses)
      expect(await service.get(`/accounts/${id}/addresses`)).toMatchObject({ status: 200, body: addresses })
    }
  })

  test('400 for an id that is not a UUID, 404 for an unknown id', async () => {
    expect(refused(await service.get('/accounts/x/addresses'), 400)).toEqual(notUuid)
    expect(refused(await service.get(`/accounts/${nobody}/addresses`), 404).code).toBe('NOT_FOUND')
  })

  test.each(failures)('%s', async (_what, how, status, code) => {
    wallet.fail(how)
    const get = () => service.get(`/accounts/${id}/addresses`)
    expect(refused(await service.impatiently(get, status === 504), status).code).toBe(code)
    wallet.fail(null)
  })

  test('503 when the wallet service is unreachable', async () => {
    const alone = await testAccounts()
    const { body } = await alone.post('/accounts', { type: 'STABLECOINS', status: 'active', name: 'An account' })
    expect(refused(await alone.get(`/accounts/${body.id}/addresses`), 503).code).toBe('SERVICE_UNAVAILABLE')
    await alone.close()
  })
})
