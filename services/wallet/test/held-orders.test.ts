import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { setBack } from '@bursar/testing/service'
import { runFileName } from '../src/restore/run-file'
import { nobody, refused, type TestWallets, testWallets } from './harness'
import { order as newOrder, start, state } from './orders'
import { type Peers, startPeers } from './peers'

describe('orders that wait after a restore', () => {
  let peers: Peers
  let service: TestWallets
  const order = newOrder()
  beforeAll(async () => {
    peers = startPeers()
    const before = await testWallets(peers)
    await start(before, order)
    await before.close()
    // As a restore leaves the data folder.
    await setBack(before, runFileName)
    service = await testWallets(peers, { dataDir: before.dataDir })
  })
  afterAll(async () => {
    await service.close()
    await peers.server.stop()
  })

  test('are listed, and not executed until one is released', async () => {
    await service.drive()
    const { status, body } = await service.get('/internal/held-orders', service.operator)
    expect(status).toBe(200)
    expect(body.items).toMatchObject([{ id: order.id, payer: null, destinationAddress: order.destinationAddress }])
    expect((await state(service, order.id)).status).toBe('accepted')
    const path = `/internal/held-orders/${order.id}/release`
    expect(await service.post(path, {}, service.operator)).toMatchObject({ status: 200, body: { id: order.id } })
    expect(refused(await service.post(path, {}, service.operator), 404).code).toBe('NOT_FOUND')
    expect((await service.get('/internal/held-orders', service.operator)).body.items).toEqual([])
  })

  test.each(['/end', `/${nobody}/release`, `/${nobody}/paid`, ''])('%s is for services alone: 401', async (path) => {
    const method = path === '' ? 'GET' : 'POST'
    const body = path.endsWith('paid') ? { txHash: '0x1' } : undefined
    expect(refused(await service.ask(method, `/internal/held-orders${path}`, body), 401).code).toBe('UNAUTHORIZED')
  })

  test('404 for an order that does not wait, and for an unknown one', async () => {
    const path = `/internal/held-orders/${nobody}/release`
    expect(refused(await service.post(path, {}, service.operator), 404).code).toBe('NOT_FOUND')
  })
})
