import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { AssetChanged } from '@bursar/contracts/core-ledger'
import { localServer } from '@bursar/testing'
import { type Ledger, openLedger } from './harness'

let ledger: Ledger
beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger.close())

const usdc = { code: 'USDC', name: 'USD Coin', decimalPlaces: 6, address: '0xA0b8', network: 'ethereum' }
interface Asset {
  id: string
}

describe('the network of an asset', () => {
  const told = async () =>
    (await ledger.events()).filter(({ name }) => name === AssetChanged.name).map(({ data }) => data)

  test('is an event at once for each change', async () => {
    await told()
    ledger.broker.published.length = 0
    const { id } = (await ledger.ask<Asset>('POST', '/assets', { ...usdc, code: 'T1' })).body
    await ledger.ask('PATCH', `/assets/${id}`, { decimals: 8 })
    await ledger.ask('PATCH', `/assets/${id}`, { contractAddress: null, blockchain: 'arbitrum' })
    await ledger.ask('DELETE', `/assets/${id}`)
    const asset = {
      v: 1,
      code: 'T1',
      network: 'ethereum',
      contractAddress: usdc.address,
      decimals: 6,
      isDeleted: false,
    }
    const moved = { ...asset, network: 'arbitrum', contractAddress: null, decimals: 8 }
    expect(await told()).toEqual([
      asset,
      { ...asset, decimals: 8 },
      { ...asset, decimals: 8, isDeleted: true },
      moved,
      { ...moved, isDeleted: true },
    ])
  })

  test('must be configured in production; 503 while that is unknown', async () => {
    const chain = localServer(() =>
      Response.json([{ name: 'ethereum', kind: 'evm', chainId: 1, nativeCode: 'ETH', nativeDecimals: 18 }]),
    )
    const env = { ENVIRONMENT: 'production' }
    const live = await openLedger({ env, urls: { blockchain: chain.url } })
    const post = <Body = Asset>(at: Ledger, network: string) =>
      at.ask<Body>('POST', '/assets', { ...usdc, network, code: network })
    const { status, body } = await post(live, 'Ethereum')
    expect(status).toBe(201)
    const refused = await post<{ message: string }>(live, 'constructor')
    expect([refused.status, refused.body.message]).toEqual([400, 'network constructor is not configured'])
    expect((await live.ask('PATCH', `/assets/${body.id}`, { blockchain: 'polygon' })).status).toBe(400)
    // What was known once is not asked for again each time.
    expect(chain.requests).toHaveLength(1)
    await live.close()
    await chain.stop()
    const lonely = await openLedger({ env })
    expect((await post(lonely, 'ethereum')).status).toBe(503)
    await lonely.close()
  })
})
