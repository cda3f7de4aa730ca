// The ledger's assets are the tokens that this service knows: at once, and none of them by a second name.
import { afterEach, describe, expect, test } from 'bun:test'
import { AssetChanged } from '@bursar/contracts/core-ledger'
import { silentLog } from '@bursar/contracts/log'
import { localServer, until } from '@bursar/testing'
import { createAssetReport } from '../src/assets/asset-report'
import { registerAssets } from '../src/assets/follow-assets'
import { recordTransfers } from '../src/transfers/transfers'
import { alice, refused, type TestBlockchain, testBlockchain } from './harness'
import { type TestLedger, testLedger } from './ledger'
import { participantId, participants, transfer } from './paying'

const contractAddress = '0xc0ffee0000000000000000000000000000000001'
const coffee = { code: 'COFFEE', blockchain: 'polygon', contractAddress, decimals: 6 }

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function following(assets: TestLedger['assets'] = []): Promise<{ service: TestBlockchain; ledger: TestLedger }> {
  const ledger = testLedger()
  ledger.assets = assets
  const participant = localServer(participants)
  const urls = { 'core-ledger': ledger.server.url, participant: participant.url }
  const service = await testBlockchain({ urls, workers: false })
  stops.push(
    service.stop,
    () => ledger.server.stop(),
    () => participant.stop(),
  )
  return { service, ledger }
}

const payIn = (service: TestBlockchain, asset: string, amount: string, network = 'polygon') =>
  service.post(`/simulated/${network}/deposits`, { address: alice, asset, amount })
const scaled = async (service: TestBlockchain, network = 'polygon') => {
  const { body } = await service.internal('GET', `/addresses/${network}/${alice}/holdings`)
  return body.map(({ contractAddress: at, ...rest }: Record<string, unknown>) => ({ ...rest, at }))
}
const changed = (asset: object) => ({
  id: Bun.randomUUIDv7(),
  name: AssetChanged.name,
  type: AssetChanged.type,
  timestamp: new Date().toISOString(),
  requestId: null,
  service: 'core-ledger',
  data: { v: 1, code: 'COFFEE', network: 'polygon', contractAddress, decimals: 6, isDeleted: false, ...asset },
})

test('assets of the ledger are registered: their deposits are published; one that means nothing here is left out', async () => {
  const odd = { code: 'ODD', blockchain: 'polygon', contractAddress: 'no address', decimals: 6 }
  const ledger = localServer(() => Response.json([odd, coffee]))
  const service = await testBlockchain({ urls: { 'core-ledger': ledger.url } })
  await registerAssets(service.deps)
  await service.watch(alice, 'polygon')
  const hash = await service.payIn(alice, '1.5', 'COFFEE', 'polygon')
  const found = await until(async () => (await service.deposits()).find(({ txHash }) => txHash === hash))
  expect(found).toMatchObject({ amount: '1500000', decimals: 6, network: 'polygon' })
  expect(found?.contractAddress?.toLowerCase()).toBe(contractAddress)
  await service.stop()
  await ledger.stop()
})

describe('a pass', () => {
  test('passes over what cannot be followed, whatever it is', async () => {
    const bad = ['constructor', 'a.b', '__proto__', 'x'.repeat(40), 'no net'].map((blockchain) => ({
      ...coffee,
      code: 'BAD',
      blockchain,
    }))
    const { service } = await following([...bad, coffee])
    await registerAssets(service.deps)
    expect((await payIn(service, 'COFFEE', '1')).status).toBe(201)
    expect((await payIn(service, 'BAD', '1', 'constructor')).status).toBe(201)
  })

  test('says of each that it leaves out why, once', async () => {
    const { service, ledger } = await following([{ ...coffee, contractAddress: 'no address' }])
    const said: object[] = []
    const log = { ...silentLog, warn: (fields: object) => void said.push(fields) }
    Object.assign(service.deps, { assets: createAssetReport(log) })
    await registerAssets(service.deps)
    await registerAssets(service.deps)
    expect(said).toHaveLength(1)
    ledger.assets = [{ ...coffee, code: 'TEA', contractAddress: 'no address' }]
    await registerAssets(service.deps)
    expect(said).toHaveLength(2)
    expect(said[1]).toMatchObject({ code: 'TEA', reason: 'contractAddress is not an address of polygon' })
  })
})

describe('a second asset of a coin', () => {
  const ether = { code: 'ETH', blockchain: 'ethereum', contractAddress: null, decimals: 18 }
  const wei = { ...ether, code: 'WEI', decimals: 6 }

  test.each([
    ['after it', [ether, wei]],
    ['before it', [wei, ether]],
  ])('%s neither renames nor re-scales it', async (_what, assets) => {
    const { service, ledger } = await following([ether])
    await registerAssets(service.deps)
    ledger.assets = assets
    await registerAssets(service.deps)
    await service.consume(changed({ ...wei, network: 'ethereum' }))
    expect((await payIn(service, 'WEI', '1', 'ethereum')).status).toBe(400)
    expect((await payIn(service, 'ETH', '1', 'ethereum')).body.amount).toBe('1')
    expect(await scaled(service, 'ethereum')).toEqual([{ amount: `${10n ** 18n}`, decimals: 18, at: null }])
  })

  test('of a token, too, in whatever case its contract is written', async () => {
    const second = { ...coffee, code: 'TEA', contractAddress: contractAddress.toUpperCase().replace('X', 'x') }
    const { service } = await following([coffee, second])
    await registerAssets(service.deps)
    await registerAssets(service.deps)
    expect((await payIn(service, 'TEA', '1')).status).toBe(400)
    expect((await payIn(service, 'COFFEE', '1')).body.asset).toBe('COFFEE')
  })
})

describe('other decimals', () => {
  test('are taken while no amount was recorded in the first, and not afterwards', async () => {
    const { service, ledger } = await following([coffee])
    await registerAssets(service.deps)
    ledger.assets = [{ ...coffee, decimals: 2 }]
    await registerAssets(service.deps)
    await service.watch(alice, 'polygon')
    expect((await payIn(service, 'COFFEE', '1.25')).status).toBe(201)
    const at = new Date()
    const came = { txHash: '0x1', logIndex: 1, from: '0x2', to: alice, contractAddress, amount: 125n, decimals: null }
    await service.deps.store.commit((tx) =>
      recordTransfers(tx, 'polygon', [{ ...came, block: 1, blockHash: 'x', at }], { dust: new Map() }),
    )
    await service.consume(changed({ decimals: 6 }))
    expect(await scaled(service)).toEqual([{ amount: '125', decimals: 2, at: contractAddress }])
    const token = { network: 'polygon', contractAddress, code: 'COFFEE', decimals: 6 }
    expect(refused(await service.internal('POST', '/tokens', token), 409).message).toBe(
      'COFFEE has 2 decimals on polygon, not 6',
    )
  })
})

test('what came of a token before it was registered is published from the dust setting on', async () => {
  const service = await testBlockchain({ env: { DEPOSIT_DUST: 'coffee:0.0415' }, workers: false })
  stops.push(service.stop)
  await service.watch(alice, 'polygon')
  const came = { from: '0x2', to: alice, contractAddress, decimals: null, block: 1, blockHash: 'x', at: new Date() }
  const amounts = [1n, 5n, 9n, 41n, 42n, 100n, 10n ** 30n]
  const transfers = amounts.map((amount, i) => ({ ...came, txHash: `0x${i}`, logIndex: i, amount }))
  await service.deps.store.commit((tx) => recordTransfers(tx, 'polygon', transfers, { dust: service.deps.config.dust }))
  const token = { network: 'polygon', contractAddress, code: 'COFFEE', decimals: 3 }
  expect((await service.internal('POST', '/tokens', token)).status).toBe(200)
  const { body } = await service.get(`/addresses/${alice}/transactions`)
  expect(Object.fromEntries(body.data.map(({ amount, status }: Record<string, string>) => [amount, status]))).toEqual({
    '0.001': 'dust',
    '0.005': 'dust',
    '0.009': 'dust',
    '0.041': 'dust',
    '0.042': 'pending',
    '0.1': 'pending',
    [`1${'0'.repeat(27)}`]: 'pending',
  })
})

test('the coin of a real network has the decimals that it has', async () => {
  const env = { ETHEREUM_RPC_URLS: 'http://127.0.0.1:9' }
  const service = await testBlockchain({ env, workers: false })
  const coin = { network: 'ethereum', contractAddress: null, code: 'ETHER' }
  expect((await service.internal('POST', '/tokens', { ...coin, decimals: 6 })).status).toBe(409)
  expect((await service.internal('POST', '/tokens', { ...coin, decimals: 18 })).body.code).toBe('ETHER')
  await service.stop()
})

describe('a new asset', () => {
  test('is known with its event; a deleted one stays known', async () => {
    const { service } = await following()
    expect((await payIn(service, 'COFFEE', '1')).status).toBe(400)
    await service.consume(changed({}))
    expect((await payIn(service, 'COFFEE', '1')).status).toBe(201)
    await service.consume(changed({ isDeleted: true }))
    expect((await payIn(service, 'COFFEE', '1')).status).toBe(201)
    await service.consume(changed({ isDeleted: true, code: 'TEA', contractAddress: alice }))
    expect((await payIn(service, 'TEA', '1')).status).toBe(400)
  })

  test('can be paid with at once: the ledger is asked for what is not known', async () => {
    const { service, ledger } = await following()
    const as = await service.asParticipant(participantId)
    const order = () => service.post('/transactions/transfer', transfer({ currency: 'COFFEE' }), as)
    expect(refused(await order(), 400).message).toBe('currency is not known on any network here')
    ledger.assets = [coffee]
    expect(await order()).toMatchObject({ status: 201, body: { network: 'polygon', currency: 'COFFEE' } })
    await ledger.server.stop()
    const unknown = await service.post('/transactions/transfer', transfer({ currency: 'TEA' }), as)
    expect(refused(unknown, 503).code).toBe('SERVICE_UNAVAILABLE')
  })
})
