import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { logEventTypes } from '@bursar/contracts/log-entry'
import { type Answer, type TestTracker, testTracker } from './harness'

let tracker: TestTracker
const path = '/tracker/v1/log-messages'

/** `n` names each message; the first is the oldest. */
const seeded = [
  { service: 'quote', event_type: 'VALUATION_PROCESSED', status: 'SUCCESS', request_id: 'r-b' },
  { service: 'account', event_type: 'WALLET_CREATED', status: 'PENDING', request_id: 'r-a' },
  { service: 'quote', event_type: 'VALUATION_FAILED', status: 'FAILURE', request_id: 'r-c' },
  { service: 'core-ledger', event_type: 'TRANSACTION_CREATED', status: 'PENDING', request_id: 'r-a' },
  { service: 'account', event_type: 'WALLET_CREATED', status: 'SUCCESS', request_id: 'r-b' },
] as const
const at = (minute: number) => `2026-01-31T12:0${minute}:00.000Z`

beforeAll(async () => {
  tracker = await testTracker()
  await tracker.record(
    ...seeded.map((entry, n) => ({
      ...entry,
      timestamp: at(n),
      metadata: { n, asset_code: 'BTC', nested: { ok: [1] } },
    })),
  )
})
afterAll(() => tracker.close())

const list = async (query = ''): Promise<Answer> => await tracker.get(`${path}${query}`)
/** The messages of an answer, by their `n`. */
const found = ({ body }: Answer): number[] => body.data.map(({ metadata }: { metadata: { n: number } }) => metadata.n)

/** The error of a refused list, after looking at the rest of its body (spec 3, Errors). */
async function refused(query: string) {
  const { status, headers, body } = await list(query)
  expect(status).toBe(400)
  const { code, message, details, requestId, timestamp, ...rest } = body.error
  expect(rest).toEqual({})
  expect(requestId).toBe(headers.get('x-request-id'))
  expect(new Date(timestamp).toISOString()).toBe(timestamp)
  return { code, message, details }
}
const refusal = (field: string, problem: string, code = 'INVALID_REQUEST') => ({
  code,
  message: `${field} ${problem}`,
  details: [{ field, message: `${field} ${problem}` }],
})

describe('GET /log-messages: 200', () => {
  test('a message has the fields of the specification and no more', async () => {
    const { status, body } = await list('?service=core-ledger')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
          service: 'core-ledger',
          request_id: 'r-a',
          event_type: 'TRANSACTION_CREATED',
          status: 'PENDING',
          timestamp: at(3),
          metadata: { n: 3, asset_code: 'BTC', nested: { ok: [1] } },
        },
      ],
      pagination: { total: 1, offset: 0, limit: 20, hasMore: false },
    })
  })

  test('without a query: the newest 20 messages', async () => {
    const answer = await list()
    expect(found(answer)).toEqual([4, 3, 2, 1, 0])
    expect(answer.body.pagination).toEqual({ total: 5, offset: 0, limit: 20, hasMore: false })
  })

  test('an empty log is an empty page', async () => {
    const empty = await testTracker()
    for (const sortBy of ['timestamp', 'service', 'request_id']) {
      expect((await empty.get(`${path}?sortBy=${sortBy}&startDate=2026-01-01`)).body).toEqual({
        data: [],
        pagination: { total: 0, offset: 0, limit: 20, hasMore: false },
      })
    }
    await empty.close()
  })

  test.each(['/tracker/v1', '/v1/tracker', '/tracker', '/v1', ''])('answers the same under "%s"', async (prefix) => {
    const answer = await tracker.get(`${prefix}/log-messages?limit=2`)
    expect(answer.status).toBe(200)
    expect(found(answer)).toEqual([4, 3])
  })

  test('an unknown key of the query is ignored', async () => {
    expect(found(await list('?colour=blue'))).toEqual([4, 3, 2, 1, 0])
  })
})

describe('GET /log-messages: paging', () => {
  test('offset counts pages: the first row is offset × limit', async () => {
    const pages = []
    for (const offset of [0, 1, 2, 3]) pages.push(await list(`?limit=2&offset=${offset}`))
    expect(pages.map(found)).toEqual([[4, 3], [2, 1], [0], []])
    expect(pages.map(({ body }) => body.pagination)).toEqual([
      { total: 5, offset: 0, limit: 2, hasMore: true },
      { total: 5, offset: 1, limit: 2, hasMore: true },
      { total: 5, offset: 2, limit: 2, hasMore: false },
      { total: 5, offset: 3, limit: 2, hasMore: false },
    ])
  })

  test('limit 0 gives no rows and the true total', async () => {
    const { body } = await list('?limit=0&offset=7')
    expect(body).toEqual({ data: [], pagination: { total: 5, offset: 7, limit: 0, hasMore: true } })
  })

  test('limit 100 is the maximum', async () => {
    expect((await list('?limit=100')).body.pagination.limit).toBe(100)
    expect(await refused('?limit=101')).toEqual(refusal('limit', 'must not be greater than 100'))
  })

  test('an offset beyond all rows gives none', async () => {
    const { body } = await list(`?limit=100&offset=${Number.MAX_SAFE_INTEGER}`)
    expect(body.data).toEqual([])
    expect(body.pagination).toMatchObject({ total: 5, hasMore: false })
  })

  test.each([
    ['limit', '-1', 'must not be less than 0'],
    ['limit', 'abc', 'must be an integer'],
    ['limit', '', 'must be an integer'],
    ['limit', '1e1', 'must be an integer'],
    ['limit', '1.5', 'must be an integer'],
    ['offset', '-1', 'must not be less than 0'],
    ['offset', ' 1', 'must be an integer'],
    ['offset', '1e999', 'must be an integer'],
  ])('%s=%s: 400', async (field, value, problem) => {
    expect(await refused(`?${field}=${value}`)).toEqual(refusal(field, problem))
  })
})

describe('GET /log-messages: sorting', () => {
  test.each([
    ['timestamp', [0, 1, 2, 3, 4]],
    ['service', [1, 4, 3, 0, 2]],
    ['status', [2, 1, 3, 0, 4]],
    ['event_type', [3, 2, 0, 1, 4]],
    ['request_id', [1, 3, 0, 4, 2]],
  ])('sortBy=%s, ties by time, in both directions', async (sortBy, expected) => {
    expect(found(await list(`?sortBy=${sortBy}&sortOrder=asc`))).toEqual(expected)
    expect(found(await list(`?sortBy=${sortBy}&sortOrder=desc`))).toEqual([...expected].reverse())
    expect(found(await list(`?sortBy=${sortBy}`))).toEqual([...expected].reverse())
  })

  test('pages span services', async () => {
    const pages = []
    for (const offset of [0, 1, 2])
      pages.push(found(await list(`?sortBy=service&sortOrder=asc&limit=2&offset=${offset}`)))
    expect(pages).toEqual([[1, 4], [3, 0], [2]])
  })

  test('an unknown order: 400 in the words of the specification', async () => {
    expect(await refused('?sortOrder=up')).toEqual(refusal('sortOrder', 'must be asc or desc'))
    expect(await refused('?sortOrder=ASC')).toEqual(refusal('sortOrder', 'must be asc or desc'))
  })

  test('an unknown key: 400', async () => {
    const problem = 'must be one of the following values: timestamp, service, status, event_type, request_id'
    expect(await refused('?sortBy=metadata')).toEqual(refusal('sortBy', problem))
    expect(await refused('?sortBy=')).toEqual(refusal('sortBy', problem))
  })
})

describe('GET /log-messages: filters', () => {
  test.each([
    ['service=quote', [2, 0]],
    ['service=Quote', []],
    ['service=nobody', []],
    ['type=WALLET_CREATED', [4, 1]],
    ['type=ERROR_OCCURRED', []],
    ['excludeTypes=WALLET_CREATED', [3, 2, 0]],
    ['excludeTypes=WALLET_CREATED,VALUATION_FAILED', [3, 0]],
    ['excludeTypes=WALLET_CREATED&type=WALLET_CREATED', []],
    ['excludeTypes=WALLET_CREATED&sortBy=service&sortOrder=asc', [3, 0, 2]],
    ['excludeTypes=TRANSACTION_CREATED&requestId=r-a', [1]],
    ['excludeTypes=VALUATION_FAILED&startDate=2026-01-31T12:01:00.000Z&sortBy=event_type', [4, 1, 3]],
    ['status=PENDING', [3, 1]],
    ['requestId=r-a', [3, 1]],
    ['requestId=r-', []],
    ['service=account&status=SUCCESS', [4]],
    ['service=account&type=WALLET_CREATED&status=PENDING', [1]],
    ['requestId=r-b&service=quote', [0]],
    ['requestId=r-b&status=FAILURE', []],
    ['type=WALLET_CREATED&sortBy=status&sortOrder=asc', [1, 4]],
    ['requestId=r-b&sortBy=service&sortOrder=asc', [4, 0]],
    [`startDate=${at(2)}`, [4, 3, 2]],
    [`endDate=${at(2)}`, [2, 1, 0]],
    [`startDate=${at(1)}&endDate=${at(3)}`, [3, 2, 1]],
    [`startDate=${at(2)}&endDate=${at(2)}`, [2]],
    [`startDate=${at(1)}&endDate=${at(3)}&status=PENDING`, [3, 1]],
    [`startDate=${at(2)}&requestId=r-a`, [3]],
    [`startDate=${at(1)}&sortBy=request_id&sortOrder=asc`, [1, 3, 4, 2]],
    ['startDate=2026-01-31', [4, 3, 2, 1, 0]],
    ['endDate=2026-01-31', []],
    ['startDate=2026-01-31T12:03', [4, 3]],
    ['startDate=2026-01-31T14:03:00%2B02:00', [4, 3]],
    ['startDate=2026-01-31T12:02:00.001Z', [4, 3]],
    ['endDate=0001-01-01', []],
  ])('%s', async (query, expected) => {
    const answer = await list(`?${query}`)
    expect(found(answer)).toEqual(expected as number[])
    expect(answer.body.pagination.total).toBe(expected.length)
    expect((await list(`?${query}&limit=0`)).body.pagination.total).toBe(expected.length)
  })

  test.each(['yesterday', '', '2026-02-30', '1769860800', '2026-13-01', '31.01.2026'])(
    'startDate=%s: 400',
    async (date) => {
      const expected = refusal('startDate', 'must be a valid ISO 8601 date string', 'INVALID_DATE_FORMAT')
      expect(await refused(`?startDate=${date}`)).toEqual(expected)
    },
  )

  test('a wrong endDate: 400', async () => {
    const expected = refusal('endDate', 'must be a valid ISO 8601 date string', 'INVALID_DATE_FORMAT')
    expect(await refused('?endDate=tomorrow')).toEqual(expected)
  })

  test('a start after the end: 400', async () => {
    const expected = refusal('startDate', 'must not be after endDate')
    expect(await refused(`?startDate=${at(3)}&endDate=${at(2)}`)).toEqual(expected)
  })

  test('an unknown type or status: 400 with the allowed values', async () => {
    const types = `must be one of the following values: ${logEventTypes.join(', ')}`
    expect(await refused('?type=SOMETHING')).toEqual(refusal('type', types))
    const statuses = 'must be one of the following values: SUCCESS, FAILURE, PENDING'
    expect(await refused('?status=success')).toEqual(refusal('status', statuses))
  })

  test('an empty service or requestId: 400', async () => {
    expect(await refused('?service=')).toEqual(refusal('service', 'should not be empty'))
    expect(await refused('?requestId=')).toEqual(refusal('requestId', 'should not be empty'))
  })

  test('all refused fields are named at once', async () => {
    const { code, details } = await refused('?limit=x&sortOrder=up&startDate=soon&type=no')
    expect(code).toBe('INVALID_REQUEST')
    expect(details.map(({ field }: { field: string }) => field)).toEqual(['limit', 'sortOrder', 'startDate', 'type'])
  })
})
