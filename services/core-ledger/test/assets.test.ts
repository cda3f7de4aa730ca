import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Ledger, openLedger } from './harness'
import { make, makeBench, withdrawalOf } from './steps'

let ledger: Ledger
beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger.close())

const usdc = { code: 'USDC', name: 'USD Coin', decimalPlaces: 6, address: '0xA0b8', network: 'ethereum' }
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const nowhere = '00000000-0000-7000-8000-000000000000'

interface Asset {
  id: string
  [field: string]: unknown
}
/** A contract of its own for each code: one coin of a network is one asset. */
const contractOf = (code: string) => `0x${Buffer.from(code).toString('hex')}`
const create = ({ code, ...fields }: { code: string; [field: string]: unknown }) =>
  ledger.ask<Asset>('POST', '/assets', { ...usdc, address: contractOf(code), code, ...fields })
const made = async (fields: { code: string; [field: string]: unknown }) => (await create(fields)).body.id

describe('POST /assets', () => {
  test('201 with the creation field set', async () => {
    const fields = { code: 'USDC-1', iso20022CurrencyCode: 'USD' }
    const { status, body } = await create({ ...fields, unknown: 1 })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...usdc,
      ...fields,
      address: contractOf('USDC-1'),
      id: expect.stringMatching(uuid),
      iso20022BankTransactionDomainCode: null,
      createdAt: expect.stringMatching(time),
      updatedAt: body.createdAt,
    })
  })

  test('native stays native', async () => {
    expect((await create({ code: 'ETH', address: 'native' })).body.address).toBe('native')
  })

  test('409 when the code is taken, in any case', async () => {
    await create({ code: 'USDC-2' })
    const { status, body } = await create({ code: 'usdc-2' })
    expect(status).toBe(409)
    expect(body).toMatchObject({
      statusCode: 409,
      error: 'Conflict',
      message: 'An asset with code usdc-2 already exists',
    })
  })

  test('400 names every field that is missing or of the wrong type', async () => {
    const { status, body } = await ledger.ask('POST', '/assets', { code: 'X', decimalPlaces: '6', network: '' })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: [
        'name should not be empty',
        'decimalPlaces must be an integer',
        'address should not be empty',
        'network should not be empty',
      ],
    })
  })

  test.each([-1, 1.5, 39])('400 for decimalPlaces %p', async (decimalPlaces) => {
    expect((await create({ code: 'BAD', decimalPlaces })).status).toBe(400)
  })

  test.each([
    ['the same contract', { address: contractOf('C1') }],
    ['its contract in another case', { address: contractOf('C1').toUpperCase().replace('X', 'x') }],
    ['the network’s name in another form', { address: contractOf('C1'), network: ' ETHEREUM ' }],
  ])('409 for %s: one coin of a network is one asset', async (_, fields) => {
    await create({ code: 'C1' })
    const { status, body } = await create({ code: 'C2', ...fields })
    expect([status, body.message]).toEqual([409, `Asset C1 is contract ${contractOf('C1')} of ethereum already`])
    const elsewhere = `other-${crypto.randomUUID().slice(0, 8)}`
    expect((await create({ code: elsewhere, address: contractOf('C1'), network: elsewhere })).status).toBe(201)
  })

  test('409 for the native coin again', async () => {
    expect((await create({ code: 'N1', address: 'native', network: 'base' })).status).toBe(201)
    const { status, body } = await create({ code: 'N2', address: 'NATIVE', network: 'Base' })
    expect([status, body.message]).toEqual([409, 'Asset N1 is the native coin of base already'])
  })

  test('of two concurrent ones with the same coin one is created', async () => {
    const both = await Promise.all(['B1', 'B2'].map((code) => create({ code, address: contractOf('B') })))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test.each(['no_name', 'ünet', 'a'.repeat(33), '../x'])('400 for the network %j', async (network) => {
    const { status, body } = await create({ code: 'NET', network })
    expect([status, body.message]).toEqual([400, 'network must be a name of 1 to 32 letters, digits and hyphens'])
  })

  test.each(['constructor', '__proto__', 'tostring'])('the network %j is a name, or 400', async (network) => {
    const { status } = await create({ code: `X-${network}`, network })
    expect(status).toBe(network === '__proto__' ? 400 : 201)
  })

  test('the same Idempotency-Key answers the first asset', async () => {
    const headers = { 'idempotency-key': 'asset-1' }
    const first = await ledger.ask('POST', '/assets', { ...usdc, code: 'ONCE' }, headers)
    const again = await ledger.ask('POST', '/assets', { ...usdc, code: 'ONCE' }, headers)
    expect([again.status, again.body]).toEqual([201, first.body])
  })
})

describe('GET /assets', () => {
  test('200 with the list field set, in the order of creation', async () => {
    await create({ code: 'L1' })
    await create({ code: 'L2', address: 'native', network: 'polygon' })
    const { status, body } = await ledger.ask<Asset[]>('GET', '/assets')
    expect(status).toBe(200)
    expect(body.slice(-2).map(({ code }) => code)).toEqual(['L1', 'L2'])
    expect(body.at(-1)).toEqual({
      id: expect.stringMatching(uuid),
      name: 'USD Coin',
      code: 'L2',
      blockchain: 'polygon',
      contractAddress: null,
      decimals: 6,
      metadata: {},
      createdAt: expect.stringMatching(time),
      updatedAt: expect.stringMatching(time),
    })
  })
})

describe('GET /assets/:id', () => {
  test('200', async () => {
    const id = await made({ code: 'G1' })
    const { status, body } = await ledger.ask('GET', `/v1/assets/${id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, contractAddress: contractOf('G1'), decimals: 6, blockchain: 'ethereum' })
  })

  test('404', async () => {
    const { status, body } = await ledger.ask('GET', `/assets/${nowhere}`)
    expect(status).toBe(404)
    expect(body).toMatchObject({ statusCode: 404, error: 'Not Found', message: `Asset ${nowhere} not found` })
  })

  test('400 for an id that is not a UUID', async () => {
    const { status, body } = await ledger.ask('GET', '/assets/1')
    expect([status, body.message]).toEqual([400, 'Validation failed (uuid is expected)'])
  })
})

describe('PATCH /assets/:id', () => {
  test('200: only the given fields change', async () => {
    const id = await made({ code: 'P1' })
    const metadata = { type: 'stablecoin', issuer: { name: 'Circle' }, isTestnet: false }
    const { status, body } = await ledger.ask('PATCH', `/assets/${id}`, { name: 'New', metadata })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      code: 'P1',
      name: 'New',
      decimals: 6,
      contractAddress: contractOf('P1'),
      metadata,
    })
    const all = { code: 'P1b', blockchain: 'solana', contractAddress: 'native', decimals: 9, metadata: {} }
    expect((await ledger.ask('PATCH', `/assets/${id}`, all)).body).toMatchObject({ ...all, contractAddress: null })
    expect((await ledger.ask('GET', `/assets/${id}`)).body).toMatchObject({ ...all, contractAddress: null })
  })

  test('its own code in another case is not a conflict', async () => {
    const id = await made({ code: 'P2' })
    expect((await ledger.ask('PATCH', `/assets/${id}`, { code: 'p2' })).body.code).toBe('p2')
  })

  test("400 for another's code", async () => {
    await made({ code: 'P3' })
    const id = await made({ code: 'P4' })
    const { status, body } = await ledger.ask('PATCH', `/assets/${id}`, { code: 'p3' })
    expect([status, body.message]).toEqual([400, 'Another asset has the code p3'])
  })

  test("400 for another's coin, and for what is no network's name", async () => {
    await made({ code: 'P6' })
    const id = await made({ code: 'P7' })
    const change = (body: object) => ledger.ask('PATCH', `/assets/${id}`, body)
    const taken = await change({ contractAddress: contractOf('P6') })
    expect([taken.status, taken.body.message]).toEqual([
      400,
      `Asset P6 is contract ${contractOf('P6')} of ethereum already`,
    ])
    expect((await change({ contractAddress: contractOf('P6'), blockchain: 'solana' })).status).toBe(200)
    expect((await change({ blockchain: 'ethereum' })).status).toBe(400)
    expect((await change({ blockchain: 'no_name' })).status).toBe(400)
    expect((await change({ name: 'As it was' })).status).toBe(200)
  })

  test('400 for wrong types, all of them', async () => {
    const id = await made({ code: 'P5' })
    const { status, body } = await ledger.ask('PATCH', `/assets/${id}`, { name: 1, decimals: '8', metadata: [] })
    expect(status).toBe(400)
    expect(body.message).toEqual(['name must be a string', 'decimals must be an integer', 'metadata must be an object'])
  })

  test('400 for the decimals of an asset that has transactions', async () => {
    const bench = await makeBench(ledger)
    const { status, body } = await ledger.ask('PATCH', `/assets/${bench.assetId}`, { decimals: 8 })
    expect([status, body.message]).toEqual([400, 'decimals cannot be changed: the asset has transactions'])
    expect((await ledger.ask('PATCH', `/assets/${bench.assetId}`, { decimals: 6, name: 'Same' })).status).toBe(200)
  })

  test('400 for the blockchain of an asset that has transactions: its deposits could be recorded again', async () => {
    const bench = await makeBench(ledger)
    const change = (blockchain: string) => ledger.ask('PATCH', `/assets/${bench.assetId}`, { blockchain })
    const { status, body } = await change('polygon')
    expect([status, body.message]).toEqual([400, 'blockchain cannot be changed: the asset has transactions'])
    for (const same of ['ethereum', 'Ethereum', ' ETHEREUM ']) {
      expect(await change(same)).toMatchObject({ status: 200, body: { blockchain: 'ethereum' } })
    }
  })

  test('400 for the contract of an asset that has transactions: approved ones are sent by it', async () => {
    const bench = await makeBench(ledger)
    const { body: before } = await ledger.ask('GET', `/assets/${bench.assetId}`)
    const other = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    const { status, body } = await ledger.ask('PATCH', `/assets/${bench.assetId}`, { contractAddress: other })
    expect([status, body.message]).toEqual([400, 'contractAddress cannot be changed: the asset has transactions'])
    const same = { contractAddress: before.contractAddress }
    expect((await ledger.ask('PATCH', `/assets/${bench.assetId}`, same)).status).toBe(200)
  })

  test('404', async () => {
    expect((await ledger.ask('PATCH', `/assets/${nowhere}`, { name: 'x' })).status).toBe(404)
  })
})

describe('DELETE /assets/:id', () => {
  test('200, then it is gone and its code is free', async () => {
    const id = await made({ code: 'D1' })
    const { status, body } = await ledger.ask('DELETE', `/assets/${id}`)
    expect([status, body]).toEqual([200, { success: true, message: 'Asset deleted successfully' }])
    expect((await ledger.ask('GET', `/assets/${id}`)).status).toBe(404)
    expect((await ledger.ask('PATCH', `/assets/${id}`, { name: 'x' })).status).toBe(404)
    expect((await ledger.ask('DELETE', `/assets/${id}`)).status).toBe(404)
    expect((await ledger.ask<Asset[]>('GET', '/assets')).body.map((asset) => asset.id)).not.toContain(id)
    expect((await create({ code: 'D1' })).status).toBe(201)
  })

  test('400 with balances or transactions', async () => {
    const bench = await makeBench(ledger, '5')
    await make(ledger, 'withdrawal', withdrawalOf(bench))
    const { status, body } = await ledger.ask('DELETE', `/assets/${bench.assetId}`)
    expect(status).toBe(400)
    expect(body.message).toMatch(/cannot be deleted: it has balances or transactions$/)
  })
})
