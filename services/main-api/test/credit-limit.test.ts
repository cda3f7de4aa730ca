import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { newParticipant } from './bank-records'
import { nobody, openService, refused, type TestMainApi, uuidExpected } from './harness'
import { type Peers, peerFailures, refusal, startPeers } from './stand-ins'

let peers: Peers
let service: TestMainApi
let id: string
beforeAll(async () => {
  peers = startPeers()
  service = await openService({ urls: { 'transaction-manager': peers.url } })
  id = await newParticipant(service)
})
afterEach(() => peers.fault(null))
afterAll(async () => {
  await service.close()
  await peers.server.stop()
})

const put = (body: object, of = id) => service.put(`/admin/pfi/${of}/credit-line`, body)

describe('PUT /admin/pfi/:participantId/credit-line', () => {
  test('200 with the line', async () => {
    const answer = await put({ currency: 'usd', limit: '250000.50', expiresAt: '2027-01-01T00:00:00Z' })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        participantId: id,
        currency: 'USD',
        limit: '250000.50',
        used: '0',
        available: '250000.50',
        expiresAt: '2027-01-01T00:00:00Z',
      },
    ])
    await put({ currency: 'EUR', limit: '0', expiresAt: null })
    const sent = peers.sent('PUT', `/internal/credit-lines/${id}`).slice(-2)
    expect(sent.map(({ body }) => body)).toEqual([
      { currency: 'USD', limit: '250000.50', expiresAt: '2027-01-01T00:00:00Z' },
      { currency: 'EUR', limit: '0', expiresAt: null },
    ])
  })

  test.each([
    [{}, 'currency should not be empty; limit should not be empty'],
    [{ currency: 'XYZ', limit: '1' }, 'currency must be an ISO 4217 currency code, such as USD'],
    [{ currency: 'USD', limit: 5 }, 'limit must be a string'],
    [{ currency: 'USD', limit: '1', expiresAt: 'soon' }, 'expiresAt must be a valid ISO 8601 date string or null'],
  ])('400 for %j', async (body, message) => {
    expect(refused(await put(body), 400).message).toBe(message)
  })

  test('400 and 409 in the transaction manager’s own words', async () => {
    peers.fault(() => refusal(400, 'limit must have at most 2 decimals'))
    expect(refused(await put({ currency: 'USD', limit: '1.001' }), 400)).toEqual({
      code: 'INVALID_REQUEST',
      message: 'limit must have at most 2 decimals',
    })
    peers.fault(() => refusal(409, '300 are used'))
    expect(refused(await put({ currency: 'USD', limit: '1' }), 409)).toEqual({
      code: 'CONFLICT',
      message: '300 are used',
    })
  })

  test('400 for an id that is not a UUID, 404 for an unknown participant', async () => {
    const body = { currency: 'USD', limit: '1' }
    expect(refused(await put(body, 'x'), 400).message).toBe(uuidExpected)
    expect(refused(await put(body, nobody), 404)).toEqual({ code: 'NOT_FOUND', message: 'Participant not found' })
  })

  test.each(peerFailures)('%s', async (_what, answer, status, code) => {
    peers.fault(answer)
    const ask = () => put({ currency: 'USD', limit: '1' })
    expect(refused(await service.impatiently(ask, status === 504), status).code).toBe(code)
  })
})
