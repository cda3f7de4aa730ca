// The list of wallets that other services follow: the account service fills its search with it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { nobody, refused, type TestWallets, testWallets } from './harness'
import { type Peers, startPeers } from './peers'

let peers: Peers
beforeAll(() => {
  peers = startPeers()
})
afterAll(() => peers.server.stop())

const changes = async (service: TestWallets, after = 0) =>
  (await service.get(`/internal/wallets/changes?after=${after}`, await service.asService('account'))).body

test('has each wallet once, in order of creation', async () => {
  const service = await testWallets(peers)
  const accountId = peers.account()
  const first = await service.wallet(accountId, 'ethereum')
  const second = await service.wallet(accountId, 'solana')
  await service.wallet(accountId, 'ethereum')
  const { items, more } = await changes(service)
  expect(items.map(({ record }: { record: object }) => record)).toEqual([first, second])
  expect(more).toBe(false)
  expect((await changes(service, items[0].version)).items).toEqual(items.slice(1))
  await service.close()
})

test('is for services alone', async () => {
  const service = await testWallets(peers)
  for (const headers of [{}, await service.asParticipant(nobody)])
    expect(refused(await service.get('/internal/wallets/changes', headers), 401).code).toBe('UNAUTHORIZED')
  await service.close()
})
