// Who may order, sign and ask: each service's own token at each route.
import { describe, expect, test } from 'bun:test'
import { serviceNames } from '@bursar/contracts/services'
import { nobody, refused } from './harness'
import { order, start } from './orders'
import { sharedWallets } from './own-wallets'

const { service } = await sharedWallets()

const toSign = () => ({ orderId: nobody, network: 'polygon', signers: ['x'], unsigned: '{}' })
const toExecute = { accountId: nobody, chainId: 1, transactionData: {} }
const toSignMessage = { accountId: nobody, chainId: 1, signMode: 'PERSONAL_SIGN', message: 'x' }

describe('the routes that move money', () => {
  test.each([
    ['core-ledger', '/internal/withdrawals', () => order()],
    ['core-ledger', '/internal/withdrawals/batch', () => ({ items: [order()] })],
    ['core-ledger', `/internal/withdrawals/${Bun.randomUUIDv7()}/refuse`, () => ({ reason: 'x' })],
    ['core-ledger', '/internal/portfolio/execute', () => toExecute],
    ['core-ledger', '/internal/portfolio/sign-message', () => toSignMessage],
    ['blockchain', '/internal/sign-transaction', toSign],
    ['blockchain', '/internal/signatures/orders', () => ({ items: [{ network: 'polygon', txHash: '0x1' }] })],
    ['blockchain', '/internal/sign-transactions', () => ({ items: [toSign()] })],
  ] as const)('only the %s may %s', async (allowed, path, body) => {
    for (const name of serviceNames) {
      const answer = await service.post(path, body(), await service.asService(name))
      if (name === allowed) expect([200, 404, 422]).toContain(answer.status)
      else expect(refused(answer, 401).message).toBe(`This route is for ${allowed}`)
    }
  })

  test('an order from a service without the right is not recorded', async () => {
    const body = order()
    for (const name of serviceNames.filter((each) => each !== 'core-ledger')) {
      await service.post('/internal/withdrawals', body, await service.asService(name))
      await service.post('/internal/withdrawals/batch', { items: [body] }, await service.asService(name))
    }
    refused(await service.get(`/internal/withdrawals/${body.id}`, service.ledger), 404)
  })
})

test('any service may read', async () => {
  const { id } = await start(service, order())
  for (const name of ['blockchain', 'gateway'] as const) {
    const headers = await service.asService(name)
    expect((await service.get(`/internal/withdrawals/${id}`, headers)).status).toBe(200)
    expect((await service.get('/internal/withdrawals/changes', headers)).status).toBe(200)
    expect((await service.post('/internal/withdrawals/records', { items: [id] }, headers)).status).toBe(200)
  }
})
