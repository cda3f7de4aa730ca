import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { clean, listed, refused, type TestSanctions, testSanctions } from './harness'

let service: TestSanctions
beforeAll(async () => {
  service = await testSanctions()
})
afterAll(() => service.close())

const verify = (address: string, blockchain = 'ethereum') =>
  service.post('/sanctions/verify-address/sync', { address, blockchain })

describe('POST /sanctions/verify-address/sync', () => {
  test('200: a listed address, with verifiable evidence', async () => {
    const { status, body } = await verify(listed.eth)
    expect(status).toBe(200)
    expect(body).toEqual({
      address: listed.eth,
      blockchain: 'ethereum',
      sanctioned: true,
      sources: [
        {
          provider: 'ofac-sdn',
          match: true,
          details: {
            list: 'OFAC SDN',
            version: '2024-09-27',
            checksum: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
            ageDays: 3,
            matches: [
              {
                entryId: `ETH:${body.sources[0].details.matches[0].address}`,
                asset: 'ETH',
                address: expect.any(String),
                name: null,
              },
            ],
          },
        },
        { provider: 'sandbox', match: false, details: { rule: expect.any(String) } },
      ],
      checkedAt: '2024-09-30T12:00:00.000Z',
    })
  })

  test('200: an address that is not listed', async () => {
    const { status, body } = await verify(clean.eth)
    expect([status, body.sanctioned]).toEqual([200, false])
    expect(body.sources.map(({ match }: { match: boolean }) => match)).toEqual([false, false])
    expect(body.sources[0].details.matches).toEqual([])
  })

  test.each([
    ['hexadecimal in another case', listed.eth.toLowerCase(), true],
    ['with spaces around it', `  ${listed.eth} `, true],
    ['base58', listed.btc, true],
    ['base58 in another case', listed.btc.toLowerCase(), false],
    ['Tron', listed.trx, true],
    ['on another chain', listed.btc, true],
    ['as a payment link', `bitcoin:${listed.btc}?amount=0.1&label=rent`, true],
    ['as a payment link with its chain', `ethereum:pay-${listed.eth}@1/transfer?value=1`, true],
    ['with the id of its chain', `eip155:1:${listed.eth}`, true],
    ['as a payment link, not listed', `ethereum:${clean.eth}?value=1`, false],
  ])('%s', async (_, address, sanctioned) => {
    const { body } = await verify(address, 'some-chain')
    expect([body.sanctioned, body.address]).toEqual([sanctioned, address.trim()])
  })

  test('each address of the shipped list is found', async () => {
    const files = [...new Bun.Glob('*.txt').scanSync(`${import.meta.dir}/../ofac`)]
    const addresses = new Set<string>()
    for (const file of files) {
      const text = await Bun.file(`${import.meta.dir}/../ofac/${file}`).text()
      for (const line of text.split('\n').filter(Boolean)) addresses.add(line)
    }
    expect(addresses.size).toBe(641)
    for (const address of addresses) expect((await verify(address)).body.sanctioned).toBe(true)
  })

  test('400 names every field that is missing or wrong', async () => {
    expect(refused(await service.post('/sanctions/verify-address/sync', {}), 400)).toEqual([
      'address should not be empty',
      'blockchain should not be empty',
    ])
    const wrong = { address: 'two words', blockchain: 5 }
    expect(refused(await service.post('/sanctions/verify-address/sync', wrong), 400)).toHaveLength(2)
    expect(refused(await verify('\u200b0x098B'), 400)).toHaveLength(1)
    expect(refused(await verify('   '), 400)).toHaveLength(1)
    expect(refused(await verify('a'.repeat(257)), 400)).toHaveLength(1)
  })

  test('a repeated idempotency key gives the same answer', async () => {
    const headers = { 'idempotency-key': 'v-1' }
    const body = { address: clean.btc, blockchain: 'bitcoin' }
    const own = await testSanctions()
    const first = await own.post('/sanctions/verify-address/sync', body, headers)
    own.clock.advance(1000)
    const again = await own.post('/sanctions/verify-address/sync', body, headers)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const other = { ...body, address: listed.btc }
    expect((await own.post('/sanctions/verify-address/sync', other, headers)).status).toBe(422)
    await own.close()
  })

  test('401 for an invalid identity', async () => {
    const body = { address: clean.btc, blockchain: 'bitcoin' }
    const answer = await service.post('/sanctions/verify-address/sync', body, { 'x-identity': 'forged' })
    expect(refused(answer, 401)).toHaveLength(1)
  })
})

describe('the sandbox', () => {
  const address = '0x1111111111111111111111111111111111119999'

  test('an address that ends in 9999 is sanctioned, and the source says why', async () => {
    const { body } = await verify(address)
    expect(body.sanctioned).toBe(true)
    expect(body.sources).toMatchObject([
      { provider: 'ofac-sdn', match: false },
      { provider: 'sandbox', match: true, details: { rule: expect.stringContaining('9999') } },
    ])
  })

  test.each<Record<string, string>>([{ SANCTIONS_SANDBOX: 'off' }, { ENVIRONMENT: 'production' }])(
    'not with %j',
    async (env) => {
      const real = await testSanctions({ env })
      const { body } = await real.post('/sanctions/verify-address/sync', { address, blockchain: 'ethereum' })
      expect([body.sanctioned, body.sources.length]).toEqual([false, 1])
      await real.close()
    },
  )
})

describe('GET /health', () => {
  test('warns once the list is older than seven days, and stays healthy', async () => {
    const fresh = await service.get('/health')
    expect([fresh.status, fresh.body.status, fresh.body.warnings]).toEqual([200, 'ok', undefined])
    const old = await testSanctions({ at: '2024-10-05T00:00:00.000Z' })
    const { status, body } = await old.get('/health')
    expect([status, body.status]).toEqual([200, 'ok'])
    expect(body.warnings).toEqual([expect.stringContaining('8 days old (OFAC SDN, 2024-09-27)')])
    await old.close()
  })
})
