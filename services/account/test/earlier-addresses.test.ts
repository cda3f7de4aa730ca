// Addresses of wallets older than the account service's first event are found at once, without a read of the account's.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { definition } from '../src/service'
import { type TestAccounts, testAccounts } from './harness'

let wallet: LocalServer
let service: TestAccounts
const made: { accountId: string; address: string }[] = []
beforeAll(async () => {
  wallet = localServer(({ url }) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname !== '/internal/wallets/changes') return new Response(null, { status: 404 })
    const after = Number(searchParams.get('after'))
    const record = ({ accountId, address }: (typeof made)[number]) => ({
      walletId: Bun.randomUUIDv7(),
      accountId,
      network: 'ethereum',
      address,
      createdAt: '2026-01-01T00:00:00.000Z',
    })
    const items = made.map((each, i) => ({ version: i + 1, record: record(each) }))
    const page = items.filter(({ version }) => version > after).slice(0, 2)
    return Response.json({ epoch: 1, items: page, more: (page.at(-1)?.version ?? after) < items.length })
  })
  service = await testAccounts({ wallet: wallet.url })
})
afterAll(async () => {
  await service.close()
  await wallet.stop()
})

const account = async () =>
  (await service.create<{ id: string }>('/accounts', { type: 'STABLECOINS', status: 'active', name: 'An account' })).id
const found = async (query: string) =>
  (await service.get(`/accounts?${query}`)).body.map(({ id }: { id: string }) => id)

test('GET /accounts?filter[address] and ?q find accounts by the addresses of all wallets, each stored once', async () => {
  for (let i = 0; i < 5; i++) made.push({ accountId: await account(), address: `0xAbC${i}` })
  made.push({ accountId: made[0]?.accountId ?? '', address: '0xAbC0' })
  for (const round of [1, 2]) {
    const workers = definition().workers?.(service.deps) ?? []
    for (const { accountId, address } of made) {
      const filter = `filter[address]=eq:${address.toLowerCase()}`
      await until(async () => (await found(filter)).length > 0, { what: `${address} in round ${round}` })
      expect([await found(filter), await found(`q=${address}`)]).toEqual([[accountId], [accountId]])
    }
    await Promise.all(workers.map((worker) => worker.stop()))
  }
})
