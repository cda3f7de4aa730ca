import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { freePort, type LocalServer, localServer } from '@bursar/testing'
import { decodeFunctionData, parseAbi } from 'viem'
import { clean, listed, refused, runDue, type TestSanctions, testSanctions } from './harness'

let outside: LocalServer
beforeAll(() => {
  outside = localServer(() => new Response())
})
afterAll(() => outside.stop())

const withSource = (env: Record<string, string>) => testSanctions({ env: { SANCTIONS_SANDBOX: 'off', ...env } })
/** A source that never answers, with a short timeout. It is alone: a request that was given up may still come to it. */
async function refusedByLate(env: (url: string) => Record<string, string>): Promise<string[]> {
  const deaf = localServer(() => new Promise<never>(() => {}))
  const service = await withSource({ SANCTIONS_SOURCE_TIMEOUT_MS: '150', ...env(deaf.url) })
  const refusal = refused(await verify(service, clean.eth), 503)
  await service.close()
  await deaf.stop()
  return refusal
}
const verify = (service: TestSanctions, address: string) =>
  service.post('/sanctions/verify-address/sync', { address, blockchain: 'ethereum' })

type Lie = [string, () => Response | Promise<Response>, RegExp]
/** Invalid answers of a source; none of them gives a verdict. */
const failures: Lie[] = [
  ['500', () => Response.json({}, { status: 500 }), /it answered 500$/],
  ['an HTML 502', () => new Response('<html>Bad Gateway</html>', { status: 502 }), /it answered 502$/],
  ['HTML with 200', () => new Response('<html>Welcome</html>'), /its answer is not JSON$/],
  ['a redirect', () => Response.redirect('http://127.0.0.1/', 302), /it answered 302$/],
  ['null', () => Response.json(null), /its answer (has an unknown form|is not a verdict)/],
  ['a megabyte', () => new Response(`{"identifications":[],"a":"${'a'.repeat(1024 * 1024)}"}`), /chainalysis/],
]

describe('Chainalysis’ API', () => {
  let service: TestSanctions
  beforeAll(async () => {
    service = await withSource({ CHAINALYSIS_API_KEY: 'key-1', CHAINALYSIS_URL: `${outside.url}/` })
  })
  afterAll(() => service.close())
  const identification = {
    category: 'sanctions',
    name: 'SANCTIONS: OFAC SDN Lazarus Group 2022-04-14',
    description: 'Ronin bridge',
    url: 'https://home.treasury.gov/',
  }

  test('says that an address is sanctioned', async () => {
    outside.answer(() => Response.json({ identifications: [identification] }))
    const { status, body } = await verify(service, clean.eth)
    expect([status, body.sanctioned]).toEqual([200, true])
    expect(body.sources).toMatchObject([
      { provider: 'ofac-sdn', match: false },
      { provider: 'chainalysis', match: true, details: { identifications: [identification] } },
    ])
    const seen = outside.requests.at(-1)
    expect([seen?.method, seen?.path]).toEqual(['GET', `/api/v1/address/${clean.eth}`])
    expect(seen?.headers.get('x-api-key')).toBe('key-1')
    expect((await verify(service, `ethereum:${clean.eth}?value=1`)).body.sanctioned).toBe(true)
    expect(outside.requests.at(-1)?.path).toBe(`/api/v1/address/${clean.eth}`)
  })

  test('says that it is not sanctioned', async () => {
    outside.answer(() => Response.json({ identifications: [] }))
    const { body } = await verify(service, clean.eth)
    expect([body.sanctioned, body.sources[1].match]).toEqual([false, false])
  })

  test('does not clear an address on the list', async () => {
    outside.answer(() => Response.json({ identifications: [] }))
    expect((await verify(service, listed.eth)).body.sanctioned).toBe(true)
  })

  const lies: Lie[] = [
    ...failures,
    ['429', () => new Response('', { status: 429 }), /it answered 429$/],
    ['no identifications', () => Response.json({ ok: true }), /an unknown form/],
    ['identifications that are none', () => Response.json({ identifications: 'none' }), /an unknown form/],
    ['an identification that is none', () => Response.json({ identifications: [null] }), /an unknown form/],
  ]
  test.each(lies)('503, never "not sanctioned", when it answers %s', async (_, handler, words) => {
    outside.answer(handler)
    const [message, ...more] = refused(await verify(service, clean.eth), 503)
    expect(more).toEqual([])
    expect(message).toStartWith('chainalysis cannot be asked right now: ')
    expect(message).toMatch(words)
    expect(message).not.toContain('key-1')
  })

  test('503 when it does not answer in time', async () => {
    const [message] = await refusedByLate((url) => ({ CHAINALYSIS_API_KEY: 'key-1', CHAINALYSIS_URL: url }))
    expect(message).toMatch(/^chainalysis cannot be asked right now: .* did not answer within 150 ms$/)
  })

  test('503 when it is unreachable', async () => {
    const gone = await withSource({
      CHAINALYSIS_API_KEY: 'key-1',
      CHAINALYSIS_URL: `http://127.0.0.1:${await freePort()}`,
    })
    expect(refused(await verify(gone, clean.eth), 503)).toHaveLength(1)
    await gone.close()
  })

  test('a job waits for it', async () => {
    outside.answer(() => new Response('', { status: 502 }))
    const job = { externalId: 'c-1', address: clean.eth, blockchain: 'ethereum' }
    const { jobId } = (await service.post('/sanctions/verify-address', job)).body
    await runDue(service.deps)
    const waiting = (await service.get(`/sanctions/jobs/${jobId}`)).body
    expect(waiting).toMatchObject({
      status: 'pending',
      error: 'chainalysis cannot be asked right now: it answered 502',
    })
    outside.answer(() => Response.json({ identifications: [identification] }))
    service.clock.advance(1000)
    await runDue(service.deps)
    expect((await service.get(`/sanctions/jobs/${jobId}`)).body.result.sanctioned).toBe(true)
  })

  test('an address cannot change the path', async () => {
    outside.answer(() => Response.json({ identifications: [] }))
    await verify(service, '../admin?a=b#c')
    expect(outside.requests.at(-1)?.path).toBe('/api/v1/address/..%2Fadmin%3Fa%3Db%23c')
  })
})

describe('Chainalysis’ on-chain oracle', () => {
  const abi = parseAbi(['function isSanctioned(address) view returns (bool)'])
  const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
  const says = (result: unknown, id: unknown = 1) => Response.json({ jsonrpc: '2.0', id, result })
  let service: TestSanctions
  beforeAll(async () => {
    service = await withSource({ CHAINALYSIS_ORACLE_RPC_URL: outside.url })
  })
  afterAll(() => service.close())

  test.each([
    [1, true],
    [0, false],
  ])('%s: its verdict counts, and it is called by its ABI', async (bit, match) => {
    outside.answer(() => says(word(bit)))
    const { body } = await verify(service, clean.eth)
    expect(body.sanctioned).toBe(match)
    const contract = '0x40C57923924B5c5c5455c48D93317139ADDaC8fb'
    expect(body.sources[1]).toEqual({
      provider: 'chainalysis-oracle',
      match,
      details: { contract, method: 'isSanctioned(address)' },
    })
    const { method, params } = JSON.parse(outside.requests.at(-1)?.body ?? '')
    expect([method, params[0].to, params[1]]).toEqual(['eth_call', contract, 'latest'])
    const { functionName, args } = decodeFunctionData({ abi, data: params[0].data })
    expect([functionName, args[0]]).toEqual(['isSanctioned', clean.eth as `0x${string}`])
  })

  test('503 when it does not answer in time', async () => {
    const [message] = await refusedByLate((url) => ({ CHAINALYSIS_ORACLE_RPC_URL: url }))
    expect(message).toMatch(/^chainalysis-oracle cannot be asked right now: .* did not answer within 150 ms$/)
  })

  test('is not queried for other addresses', async () => {
    const before = outside.requests.length
    const { body } = await verify(service, clean.btc)
    expect([body.sources.length, outside.requests.length]).toEqual([1, before])
  })

  const lies: Lie[] = [
    ...failures,
    [
      'an error',
      () => Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'x' } }),
      /not a verdict$/,
    ],
    ['nothing, for there is no contract', () => says('0x'), /not a verdict$/],
    ['another number', () => says(word(2)), /not a verdict$/],
    ['two words', () => says(`${word(0)}${'0'.repeat(64)}`), /not a verdict$/],
    ['true', () => says(true), /not a verdict$/],
    ['another request’s answer', () => says(word(0), 7), /not a verdict$/],
  ]
  test.each(lies)('503, never "not sanctioned", when the node answers %s', async (_, handler, words) => {
    outside.answer(handler)
    const [message] = refused(await verify(service, clean.eth), 503)
    expect(message).toStartWith('chainalysis-oracle cannot be asked right now: ')
    expect(message).toMatch(words)
  })
})

test('an address inside the own network is not called unless it is allowed', async () => {
  const service = await withSource({ CHAINALYSIS_ORACLE_RPC_URL: outside.url, OUTBOUND_ALLOW: '' })
  expect(refused(await verify(service, clean.eth), 503)[0]).toContain('is not a public address')
  await service.close()
})
