import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { PaymentStatus } from '@bursar/contracts/transaction-manager'
import { fixedClock } from '@bursar/testing'
import { goneCustodian, newAccount, newBankWithParticipant, newCustodian, newParticipant } from './bank-records'
import { nobody, openService, refused, type TestMainApi } from './harness'
import { announce, announceTogether, party, payment } from './payment-events'
import { type Peers, peerFailures, startPeers } from './stand-ins'

const now = '2026-11-22T10:00:00.000Z'
let peers: Peers
let service: TestMainApi
beforeAll(async () => {
  peers = startPeers()
  service = await openService({ urls: { 'transaction-manager': peers.url }, now: fixedClock(now) })
})
afterEach(() => peers.fault(null))
afterAll(async () => {
  await service.close()
  await peers.server.stop()
})

const routes = [
  '/custodian-bank/users',
  '/custodian-bank/transactions',
  `/custodian-bank/transactions/${nobody}`,
  '/custodian-bank/participants',
  '/custodian-bank/balance',
  '/custodian-bank/custodian-detail',
  '/custodian-bank/credit-line',
]

describe.each(routes)('the caller’s custodian bank: GET %s', (route) => {
  test('401 without an identity, and for an anonymous one', async () => {
    expect(refused(await service.get(route), 401).code).toBe('UNAUTHORIZED')
    const anonymous = await service.as({ kind: 'anonymous', subject: '127.0.0.1' })
    expect(refused(await service.get(route, anonymous), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await service.get(route, { 'x-identity': 'forged' }), 401).code).toBe('UNAUTHORIZED')
  })

  test('404 for a user without participant and bank, a participant without an account, a deleted bank', async () => {
    const message = 'The caller has no custodian bank'
    expect(refused(await service.get(route, await service.as({ roles: ['admin'] })), 404).message).toBe(message)
    const participant = await service.asParticipant(await newParticipant(service))
    expect(refused(await service.get(route, participant), 404).message).toBe(message)
    expect(refused(await service.get(route, await service.as({ custodianId: nobody })), 404).message).toBe(message)
    const gone = await goneCustodian(service)
    expect(refused(await service.get(route, await service.as({ custodianId: gone })), 404).message).toBe(message)
  })
})

describe('GET /custodian-bank/custodian-detail', () => {
  test('200 with the bank of a custodian user', async () => {
    const id = await newCustodian(service, { name: 'Meridian Trust', country: 'CH' })
    const { status, body } = await service.get(
      '/custodian-bank/custodian-detail',
      await service.as({ custodianId: id }),
    )
    expect([status, body]).toEqual([
      200,
      { id, name: 'Meridian Trust', country: 'CH', services: ['CUSTODY'], status: 'ACTIVE' },
    ])
  })

  test('200 with the bank of the participant’s first account, for its user and for its key alone', async () => {
    const [first, second] = [await newCustodian(service), await newCustodian(service)]
    const participantId = await newParticipant(service)
    await newAccount(service, participantId, first)
    await newAccount(service, participantId, second)
    const user = await service.as({ participantId })
    const detail = async (headers: Record<string, string>) =>
      (await service.get('/custodian-bank/custodian-detail', headers)).body.id
    expect(await detail(user)).toBe(first)
    expect(await detail(await service.asParticipant(participantId))).toBe(first)
    const key = await service.create('/participants/api-key', { expirationDate: 3 }, user)
    expect(await detail({ 'x-api-key': key.data.apiKey })).toBe(first)
    // A user without a participant and a bank has those of the key beside it.
    expect(await detail({ ...(await service.as({ kind: 'user' })), 'x-api-key': key.data.apiKey })).toBe(first)
    // A custodian user's own bank comes first.
    expect(await detail(await service.as({ participantId, custodianId: second }))).toBe(second)
  })
})

describe('GET /custodian-bank/participants', () => {
  test('200 with the participants that have an account, oldest first, each once', async () => {
    const { custodianId, participantId, asCustodian } = await newBankWithParticipant(service)
    await newAccount(service, participantId, custodianId)
    const second = await newParticipant(service, { name: 'Nordia', country: 'SE' })
    await newAccount(service, second, custodianId)
    await newAccount(service, await newParticipant(service), await newCustodian(service))
    const { status, body } = await service.get('/custodian-bank/participants', asCustodian)
    expect([status, body.pageInfo]).toEqual([200, { limit: 20, offset: 0, total: 2 }])
    expect(body.data.map((each: { id: string }) => each.id)).toEqual([participantId, second])
    expect(body.data[1]).toEqual({ id: second, name: 'Nordia', country: 'SE', status: 'NOT_STARTED' })
    const of = async (query: string) =>
      (await service.get(`/custodian-bank/participants?${query}`, asCustodian)).body.data.map(
        (each: { id: string }) => each.id,
      )
    expect(await of('limit=1')).toEqual([participantId])
    expect(await of('limit=1&offset=1')).toEqual([second])
    expect(await of('limit=0')).toEqual([])
    expect(refused(await service.get('/custodian-bank/participants?limit=x', asCustodian), 400).message).toBe(
      'limit must be an integer',
    )
  })
})

describe('GET /custodian-bank/balance', () => {
  const balance = async (headers: Record<string, string>) => {
    const { status, body } = await service.get('/custodian-bank/balance', headers)
    expect(status).toBe(200)
    return body
  }

  test('200 with none for a bank without payments', async () => {
    expect(await balance((await newBankWithParticipant(service)).asCustodian)).toEqual([])
  })

  test('200: completed payments make the total, outgoing ones under way are frozen, by currency', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const [here, there] = [party(custodianId), party(nobody)]
    const out = (status: PaymentStatus, amount: string) => payment({ type: 'WITHDRAWAL', from: here, status, amount })
    await announce(
      service,
      payment({ to: here, amount: '1000.50' }),
      payment({ type: 'DO_DEPOSIT', to: here, amount: '0.25' }),
      payment({ type: 'TRANSFER', from: there, to: here, amount: '10' }),
      payment({ type: 'TRANSFER', from: here, to: there, amount: '110.75' }),
      // Moves nothing: both accounts are at the bank.
      payment({ type: 'TRANSFER', from: here, to: party(custodianId), amount: '400' }),
      payment({ type: 'TRANSFER', from: here, to: party(custodianId), amount: '400', status: 'PENDING' }),
      // What comes in counts once it is there.
      payment({ to: here, amount: '5000', status: 'PROCESSING' }),
      out('PENDING', '1'),
      out('IN_REVIEW', '2'),
      out('APPROVED', '4'),
      out('PROCESSING', '8.5'),
      ...(['REJECTED', 'CANCELLED', 'FAILED'] as const).map((status) => out(status, '999')),
      payment({ to: here, currency: 'EUR', amount: '7' }),
      payment({ type: 'WITHDRAWAL', from: here, currency: 'EUR', amount: '10', status: 'PENDING' }),
      payment({ to: here, currency: 'JPY', amount: '99999999999999999999999999999999999999' }),
      payment({ to: here, currency: 'JPY', amount: '1' }),
    )
    // 1000.50 + 0.25 + 10 - 110.75 = 900; 1 + 2 + 4 + 8.5 = 15.5
    const jpy = '100000000000000000000000000000000000000'
    expect(await balance(asCustodian)).toEqual([
      { currency: 'EUR', available: '-3', frozen: '10', total: '7', asOf: now },
      { currency: 'JPY', available: jpy, frozen: '0', total: jpy, asOf: now },
      { currency: 'USD', available: '884.5', frozen: '15.5', total: '900', asOf: now },
    ])
  })

  test('200 for more payments than are read in one step', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const payments = Array.from({ length: 2105 }, () => payment({ to: party(custodianId), amount: '0.1' }))
    await announceTogether(service, payments)
    expect(await balance(asCustodian)).toMatchObject([{ total: '210.5' }])
  })
})

const line = (participantId: string, currency = 'USD') => ({
  participantId,
  currency,
  limit: '1000',
  used: '10.5',
  available: '989.5',
  expiresAt: null,
})

describe('GET /custodian-bank/credit-line', () => {
  test('200 with the lines of the bank’s participants, in their order, by currency', async () => {
    const { custodianId, participantId, asCustodian } = await newBankWithParticipant(service)
    const second = await newParticipant(service)
    await newAccount(service, second, custodianId)
    const [usd, eur] = [line(participantId), line(participantId, 'EUR')]
    peers.creditLines.push(line(second), usd, eur, line(Bun.randomUUIDv7()))
    const { status, body } = await service.get('/custodian-bank/credit-line', asCustodian)
    expect([status, body]).toEqual([200, { data: [eur, usd, line(second)] }])
  })

  test('200 for more participants than one call takes; without participants there is no call', async () => {
    // Its own: a call of another test, which was not waited for, may come late.
    const manager = startPeers()
    const own = await openService({ urls: { 'transaction-manager': manager.url }, now: fixedClock(now) })
    const custodianId = await newCustodian(own)
    const headers = await own.as({ custodianId })
    expect((await own.get('/custodian-bank/credit-line', headers)).body.data).toEqual([])
    expect(manager.server.requests).toEqual([])
    const ids: string[] = []
    for (let i = 0; i < 105; i++) {
      const id = await newParticipant(own)
      ids.push(id)
      await newAccount(own, id, custodianId)
      manager.creditLines.push(line(id))
    }
    const { body } = await own.get('/custodian-bank/credit-line', headers)
    expect(body.data.map((each: { participantId: string }) => each.participantId)).toEqual(ids)
    const asked = manager.sent('GET', '/internal/credit-lines')
    expect(asked.map(({ path }) => decodeURIComponent(path).split(',').length).sort()).toEqual([100, 5])
    await own.close()
    await manager.server.stop()
  })

  test.each(peerFailures)('%s', async (_what, answer, status, code) => {
    const { asCustodian } = await newBankWithParticipant(service)
    peers.fault(answer)
    const get = () => service.get('/custodian-bank/credit-line', asCustodian)
    expect(refused(await service.impatiently(get, status === 504), status).code).toBe(code)
  })
})

describe('GET /credit-line', () => {
  test('200 with the lines of the caller’s participant', async () => {
    const { participantId, asParticipant } = await newBankWithParticipant(service)
    expect((await service.get('/credit-line', asParticipant)).body.data).toEqual([])
    peers.creditLines.push(line(participantId), line(participantId, 'CHF'))
    const { status, body } = await service.get('/credit-line', asParticipant)
    expect([status, body]).toEqual([200, { data: [line(participantId, 'CHF'), line(participantId)] }])
  })

  test('401 without a participant', async () => {
    expect(refused(await service.get('/credit-line'), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await service.get('/credit-line', await service.as({ roles: ['admin'] })), 401).code).toBe(
      'UNAUTHORIZED',
    )
  })

  test.each(peerFailures)('%s', async (_what, answer, status, code) => {
    const { asParticipant } = await newBankWithParticipant(service)
    peers.fault(answer)
    const get = () => service.get('/credit-line', asParticipant)
    expect(refused(await service.impatiently(get, status === 504), status).code).toBe(code)
  })
})
