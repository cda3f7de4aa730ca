import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type LocalServer, localServer } from '@bursar/testing'
import { clean, listed, refused, type TestSanctions, testSanctions } from './harness'

const hash = `0x${'ab'.repeat(32)}`
let chain: LocalServer
let service: TestSanctions
beforeAll(async () => {
  chain = localServer(() => new Response('not set', { status: 500 }))
  service = await testSanctions({ urls: { blockchain: chain.url } })
})
afterAll(async () => {
  await service.close()
  await chain.stop()
})

const parties = (from: string[], to: string[]) =>
  chain.answer(() => Response.json({ network: 'ethereum', txHash: hash, from, to }))
const verify = () => service.post('/sanctions/verify-transaction/sync', { transactionId: hash, blockchain: 'ethereum' })

describe('POST /sanctions/verify-transaction/sync', () => {
  test('200: sanctioned by one of its parties, which is named', async () => {
    parties([clean.eth], [clean.btc, listed.eth])
    const { status, body } = await verify()
    expect(status).toBe(200)
    expect(body).toMatchObject({ transactionId: hash, blockchain: 'ethereum', sanctioned: true })
    const [list] = body.sources
    expect(list).toMatchObject({ provider: 'ofac-sdn', match: true })
    expect(
      list.details.parties.map((party: { address: string; match: boolean }) => [party.address, party.match]),
    ).toEqual([
      [clean.eth, false],
      [clean.btc, false],
      [listed.eth, true],
    ])
    expect(chain.requests.at(-1)?.path).toBe(`/internal/transactions/ethereum/${hash}/parties`)
  })

  test('200: none of its parties is sanctioned', async () => {
    parties([clean.eth], [clean.btc])
    const { status, body } = await verify()
    expect([status, body.sanctioned, body.sources[0].match]).toEqual([200, false, false])
  })

  test('404 for a transaction that the chain does not know', async () => {
    chain.answer(() => Response.json({ error: { code: 'NOT_FOUND', message: 'unknown' } }, { status: 404 }))
    expect(refused(await verify(), 404)).toEqual(['The blockchain does not know this transaction'])
  })

  test('503 when no party is found', async () => {
    parties([], [])
    expect(refused(await verify(), 503)).toEqual(['The transaction has 0 parties: it cannot be screened by them'])
  })

  test.each<[string, () => Response | Promise<Response>, number]>([
    ['fails', () => new Response('<html>', { status: 502 }), 502],
    ['is not available', () => Response.json({}, { status: 503 }), 503],
    ['breaks its contract', () => Response.json({ from: 'nobody' }), 502],
    ['does not answer in time', () => new Promise<Response>(() => {}), 504],
  ])('never "not sanctioned" when the blockchain service %s', async (_, handler, status) => {
    chain.answer(handler)
    expect(refused(await service.impatiently(verify, status === 504), status)).toHaveLength(1)
  })

  test('400 names every field that is missing', async () => {
    expect(refused(await service.post('/sanctions/verify-transaction/sync', {}), 400)).toEqual([
      'transactionId should not be empty',
      'blockchain should not be empty',
    ])
  })
})
