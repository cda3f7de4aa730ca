import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { fixedClock } from '@bursar/testing'
import { storedText } from '@bursar/testing/service'
import { goneCustodian, newBankWithParticipant, newCustodian, newParticipant } from './bank-records'
import { nobody, openService, refused, type TestMainApi, uuidExpected } from './harness'
import { type Peers, peerFailures, startPeers } from './stand-ins'

const now = '2026-11-22T10:00:00.000Z'
const ada = { firstName: 'Ada', lastName: 'Lovett', dateOfBirth: '1985-04-12', nationality: 'GB' }
let peers: Peers
let service: TestMainApi
let participantId: string
let custodianBankId: string
beforeAll(async () => {
  peers = startPeers()
  service = await openService({ urls: { sanctions: peers.url }, now: fixedClock(now) })
  participantId = await newParticipant(service)
  custodianBankId = await newCustodian(service)
})
afterEach(() => {
  peers.fault(null)
  peers.names.listed = 1000
  peers.names.matches = []
})
afterAll(async () => {
  await service.close()
  await peers.server.stop()
})

const body = (fields: object = {}, customer: object = {}) => ({
  participantId,
  custodianBankId,
  transactionAmount: 1250.5,
  transactionCurrency: 'USD',
  customerData: { ...ada, ...customer },
  ...fields,
})
const check = async (fields: object = {}, customer: object = {}) =>
  (await service.create('/aml-engine', body(fields, customer))).data
/** The score, and the rules that it comes from. */
const found = async (fields: object = {}, customer: object = {}) => {
  const { score, reasons } = await check(fields, customer)
  return [score, ...reasons.map(({ rule, points }: { rule: string; points: number }) => `${rule} ${points}`)]
}

describe('POST /aml-engine', () => {
  test('201 with the result of a check that finds nothing', async () => {
    const { status, body: answer } = await service.post('/aml-engine', body())
    expect([status, answer]).toEqual([
      201,
      { data: { riskLevel: 'LOW', needConfirm: false, amlId: answer.data.amlId, score: 0, reasons: [] } },
    ])
  })

  test('404 for a custodian’s user, unless the participant pays through an account at its bank', async () => {
    const own = await newBankWithParticipant(service)
    const post = (fields: object) => service.post('/aml-engine', body(fields), own.asCustodian)
    const ours = { participantId: own.participantId, custodianBankId: own.custodianId }
    expect((await post(ours)).status).toBe(201)
    const message = 'The participant has no account at your custodian bank'
    for (const fields of [
      { ...ours, participantId },
      { ...ours, custodianBankId },
      { ...ours, participantId: nobody },
    ]) {
      expect(refused(await post(fields), 404)).toEqual({ code: 'NOT_FOUND', message })
    }
  })

  test('201 and the reasons explain the score', async () => {
    // 20 for an amount at the threshold, 30 for Yemen, 10 for the missing birth date.
    const result = await check({ transactionAmount: 10_000 }, { nationality: 'ye', dateOfBirth: undefined })
    expect(result).toMatchObject({ riskLevel: 'MEDIUM', needConfirm: true, score: 60 })
    expect(result.reasons).toEqual([
      { rule: 'HIGH_RISK_COUNTRY', points: 30, explanation: 'The nationality, YE, is a high-risk country' },
      { rule: 'AMOUNT_LARGE', points: 20, explanation: 'The amount is at least the threshold of 10000 USD' },
      { rule: 'MISSING_DATA', points: 10, explanation: 'customerData.dateOfBirth is missing' },
    ])
  })

  test('amounts are exact, in the currency’s own decimals', async () => {
    expect(await found({ transactionAmount: 9999.99 })).toEqual([15, 'AMOUNT_JUST_BELOW 15'])
    expect(await found({ transactionAmount: 8999.99 })).toEqual([0])
    expect(await found({ transactionAmount: 0.01 })).toEqual([0])
    expect(await found({ transactionAmount: 2_000_000, transactionCurrency: 'jpy' })).toEqual([20, 'AMOUNT_LARGE 20'])
    expect(await found({ transactionAmount: 1e21 })).toEqual([70, 'AMOUNT_VERY_LARGE 40', 'VERY_HIGH_TURNOVER 30'])
    expect(await found({ transactionAmount: 1.234, transactionCurrency: 'KWD' })).toEqual([
      15,
      'CURRENCY_WITHOUT_THRESHOLD 15',
    ])
    const { amlId } = await check({ transactionAmount: 1250.1 })
    expect((await service.get(`/aml-engine/${amlId}`)).body.data.transactionAmount).toBe('1250.1')
  })

  test.each([
    [{ transactionAmount: 0 }, 'transactionAmount must be greater than 0'],
    [{ transactionAmount: -5 }, 'transactionAmount must be greater than 0'],
    [{ transactionAmount: '5' }, 'transactionAmount must be a number'],
    [{ transactionAmount: null }, 'transactionAmount must be a number'],
    [{ transactionAmount: 1.005 }, 'transactionAmount must have at most 2 decimals'],
    [{ transactionAmount: 0.1 + 0.2 }, 'transactionAmount must have at most 2 decimals'],
    [{ transactionAmount: 1.5, transactionCurrency: 'JPY' }, 'transactionAmount must have at most 0 decimals'],
    [{ transactionAmount: 5e-324 }, 'transactionAmount must have at most 2 decimals'],
    [{ transactionAmount: 1e300 }, 'transactionAmount must have at most 38 digits'],
    [{ transactionCurrency: 'DOLLAR' }, 'transactionCurrency must be at most 3 characters long'],
    [{ transactionCurrency: 'ZZZ' }, 'transactionCurrency must be an ISO 4217 currency code, such as USD'],
    [{ participantId: 'x' }, 'participantId must be a UUID'],
    [{ customerData: 'Ada' }, 'customerData must be an object'],
    [{ customerData: { ...ada, firstName: 5 } }, 'customerData.firstName must be a string or null'],
    [{ customerData: { ...ada, lastName: 'x'.repeat(101) } }, undefined],
    [{ customerData: { ...ada, lastName: 'a\nb' } }, undefined],
  ])('400 for %j', async (fields, message) => {
    const refusal = refused(await service.post('/aml-engine', body(fields)), 400)
    expect(refusal.code).toBe('INVALID_REQUEST')
    if (message !== undefined) expect(refusal.message).toBe(message)
  })

  test('400 for a number beyond what a float can hold', async () => {
    const text = JSON.stringify(body()).replace('1250.5', '1e999')
    expect(refused(await service.post('/aml-engine', text, { 'content-type': 'application/json' }), 400).message).toBe(
      'transactionAmount must be a number',
    )
  })

  test.each([
    ['2001-02-29', 'must be a date such as 1985-04-12'],
    ['2000-13-01', 'must be a date such as 1985-04-12'],
    ['12.04.1985', 'must be a date such as 1985-04-12'],
    ['1985-4-12', 'must be a date such as 1985-04-12'],
    ['2026-11-23', 'must not be in the future'],
    ['1895-11-22', 'must not be more than 130 years ago'],
  ])('400 for the birth date %s', async (dateOfBirth, problem) => {
    const message = `customerData.dateOfBirth ${problem}`
    expect(refused(await service.post('/aml-engine', body({}, { dateOfBirth })), 400)).toEqual({
      code: 'INVALID_REQUEST',
      message,
      details: [{ field: 'customerData.dateOfBirth', message }],
    })
  })

  test('404 for an unknown participant and an unknown or deleted custodian bank', async () => {
    const gone = await goneCustodian(service)
    const message = async (fields: object) => refused(await service.post('/aml-engine', body(fields)), 404).message
    expect(await message({ participantId: nobody })).toBe('Participant not found')
    expect(await message({ custodianBankId: nobody })).toBe('Custodian bank not found')
    expect(await message({ custodianBankId: gone })).toBe('Custodian bank not found')
  })

  test('a repeat with its key makes no second check; with another body it is refused', async () => {
    const key = { 'idempotency-key': 'aml-1' }
    const first = await service.post('/aml-engine', body(), key)
    const again = await service.post('/aml-engine', body(), key)
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
    expect(refused(await service.post('/aml-engine', body({ transactionAmount: 2 }), key), 422).code).toBe(
      'UNPROCESSABLE',
    )
  })
})

describe('the customer', () => {
  test('is 18 from the birthday on', async () => {
    expect(await found({}, { dateOfBirth: '2008-11-22' })).toEqual([0])
    expect(await found({}, { dateOfBirth: '2008-11-23' })).toEqual([30, 'MINOR 30'])
    expect(await found({}, { dateOfBirth: '2026-11-22' })).toEqual([30, 'MINOR 30'])
    expect(await found({}, { dateOfBirth: '1896-11-22' })).toEqual([0])
  })

  test('missing, null, empty and blank fields are missing', async () => {
    expect(await found({ customerData: {} })).toEqual([70, 'NAME_NOT_SCREENED 30', ...Array(4).fill('MISSING_DATA 10')])
    const nothing = { firstName: null, lastName: '', dateOfBirth: '  ', nationality: null }
    expect(await found({}, nothing)).toEqual([70, 'NAME_NOT_SCREENED 30', ...Array(4).fill('MISSING_DATA 10')])
    expect(await found({}, { firstName: null })).toEqual([40, 'NAME_NOT_SCREENED 30', 'MISSING_DATA 10'])
  })

  test.each([
    ['KP', 100],
    ['prk', 100],
    ['Iran', 100],
    ['cuba', 100],
    ['North Korea', 100],
    ['MMR', 30],
    ['Myanmar', 30],
    ['United Kingdom', 0],
    ['USA', 0],
    ['Atlantis', 30],
    ['__proto__', 30],
    ['XX', 30],
  ])('nationality %s: %d points', async (nationality, points) => {
    expect((await found({}, { nationality }))[0]).toBe(points)
  })
})

describe('names', () => {
  test('are screened in full at the sanctions service', async () => {
    peers.names.matches = [{ entryId: '20157', name: 'Jong Un KIM', isSame: true }]
    const result = await check({}, { firstName: ' Jong Un ', lastName: 'Kim' })
    expect(result).toMatchObject({ score: 100, riskLevel: 'HIGH', needConfirm: true })
    expect(result.reasons[0].explanation).toBe('The name is that of Jong Un KIM on the list OFAC SDN of 2024-09-27')
    expect(peers.sent('POST', '/internal/names/screen').at(-1)?.body).toEqual({ name: 'Jong Un Kim' })
    peers.names.matches = [{ entryId: '1', name: 'Jong Un KIM', isSame: false }]
    expect(await found()).toEqual([50, 'SIMILAR_NAME 50'])
  })

  test('nobody is screened against an empty list', async () => {
    peers.names.listed = 0
    expect(await found()).toEqual([30, 'NAME_NOT_SCREENED 30'])
  })

  test.each(peerFailures)('%s: the check fails, and nothing is stored', async (_what, answer, status, code) => {
    peers.fault(answer)
    const key = { 'idempotency-key': `aml-${Bun.hash(_what)}` }
    const post = () => service.post('/aml-engine', body(), key)
    expect(refused(await service.impatiently(post, status === 504), status).code).toBe(code)
    peers.fault(null)
    expect((await post()).status).toBe(201)
  })
})

describe('countries of the institutions', () => {
  test('count as the customer’s nationality does', async () => {
    const [iran, yemen] = [
      await newParticipant(service, { country: 'IR' }),
      await newCustodian(service, { country: 'YE' }),
    ]
    expect(await found({ participantId: iran })).toEqual([100, 'SANCTIONED_COUNTRY 100'])
    expect(await found({ custodianBankId: yemen })).toEqual([30, 'HIGH_RISK_COUNTRY 30'])
  })
})

describe('GET /aml-engine/:amlId', () => {
  test('200 with the check as it was made, whatever happened since', async () => {
    const result = await check({ transactionAmount: 10_000, transactionCurrency: 'usd' }, { nationality: 'VE' })
    const { status, body: answer } = await service.get(`/aml-engine/${result.amlId}`)
    expect([status, answer.data]).toEqual([
      200,
      {
        ...result,
        participantId,
        custodianBankId,
        transactionAmount: '10000',
        transactionCurrency: 'USD',
        rulesVersion: '2026-11-22',
        createdAt: now,
      },
    ])
  })

  test('200 for its participant and its bank, 404 for others', async () => {
    const { amlId } = await check()
    const get = async (caller: object) => service.get(`/aml-engine/${amlId}`, await service.as(caller))
    for (const caller of [{ participantId }, { custodianId: custodianBankId }, { roles: ['admin'] }]) {
      expect((await get(caller)).status).toBe(200)
    }
    for (const caller of [{ participantId: nobody }, { custodianId: nobody }]) {
      expect(refused(await get(caller), 404)).toEqual({ code: 'NOT_FOUND', message: 'AML check not found' })
    }
  })

  test('400 for an id that is not a UUID, 404 for an unknown check', async () => {
    expect(refused(await service.get('/aml-engine/x'), 400).message).toBe(uuidExpected)
    expect(refused(await service.get(`/aml-engine/${nobody}`), 404).message).toBe('AML check not found')
  })

  test('the customer’s data is encrypted in the file', async () => {
    await check({}, { lastName: 'Quillfeather' })
    await service.events()
    const stored = await storedText(service)
    expect(stored).toContain('aml_checks')
    expect(stored).not.toContain('Quillfeather')
  })
})
