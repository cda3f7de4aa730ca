import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { exportMessages } from '../src/log-messages/export-messages'
import { recordLogMessages } from '../src/log-messages/record-log-messages'
import { envelopeOf, type TestTracker, testTracker } from './harness'

let tracker: TestTracker
beforeAll(async () => {
  tracker = await testTracker()
  await tracker.record(
    { request_id: '=1+1', service: 'quote', timestamp: '2026-01-31T12:00:00.000Z', metadata: { rate: 1 } },
    {
      request_id: 'r-b',
      service: 'wallet',
      event_type: 'WALLET_TRANSACTION',
      status: 'PENDING',
      timestamp: '2026-01-31T12:01:00.000Z',
      metadata: { transaction_id: bought.toUpperCase(), note: 'a, b' },
    },
  )
})
afterAll(() => tracker.close())

const bought = '01a1fe8f-0000-7000-8000-000000000001'
const header = 'id,timestamp,service,event_type,status,request_id,transaction_id,metadata'

async function exported(query: string) {
  const answer = await tracker.open(`/tracker/v1/log-messages/export${query}`)
  return { status: answer.status, type: answer.headers.get('content-type'), lines: (await answer.text()).split('\r\n') }
}

describe('GET /log-messages/export', () => {
  test('200: a table, newest first, with the fields of a message', async () => {
    const { status, type, lines } = await exported('')
    expect([status, type]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    const [first, second] = (await tracker.get('/tracker/v1/log-messages')).body.data
    expect(lines).toEqual([
      header,
      `${first.id},2026-01-31T12:01:00.000Z,wallet,WALLET_TRANSACTION,PENDING,r-b,${bought},"{""transaction_id"":""${bought.toUpperCase()}"",""note"":""a, b""}"`,
      `${second.id},2026-01-31T12:00:00.000Z,quote,VALUATION_PROCESSED,SUCCESS,'=1+1,,"{""rate"":1}"`,
      '',
    ])
  })

  test.each([
    ['?service=quote', 1],
    ['?excludeTypes=WALLET_TRANSACTION,ERROR_OCCURRED', 1],
    [`?transactionId=${bought}`, 1],
    ['?requestId=r-b', 1],
    ['?requestId=other', 0],
    [`?transactionId=${bought}&requestId=other`, 0],
    ['?startDate=2026-01-31T12:00:30Z', 1],
    ['?endDate=2026-01-31T12:01:00.000Z', 2],
    ['?startDate=2027-01-01', 0],
  ])('%s: %p rows', async (query, count) => {
    expect((await exported(query)).lines).toHaveLength(count + 2)
  })

  test('an unknown type, reversed dates: 400', async () => {
    for (const query of [
      '?type=NO',
      '?excludeTypes=NO',
      '?transactionId=no',
      '?startDate=2026-02-02&endDate=2026-01-01',
    ]) {
      const { status, body } = await tracker.get(`/tracker/v1/log-messages/export${query}`)
      expect([status, body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    }
  })

  test('thousands in many blocks: each once, in order', async () => {
    const many = await testTracker()
    const start = Date.UTC(2026, 0, 31)
    await many.store.commit(async (tx) => {
      for (let n = 0; n < 3500; n++) {
        const timestamp = new Date(start + (((n * 7919) % 3500) >> 2)).toISOString()
        const { data } = envelopeOf({
          timestamp,
          service: n % 50 ? 'quote' : 'wallet',
          request_id: n % 2 ? 'odd' : 'even',
        })
        await recordLogMessages(tx, [{ ...data, metadata: { transaction_id: bought, n } }], 100)
      }
    })
    for (const [query, count] of [
      [{}, 3500],
      [{ service: 'wallet' }, 70],
      [{ requestId: 'odd' }, 1750],
      [{ transactionId: bought }, 3500],
      [{ startDate: new Date(start + 100), endDate: new Date(start + 199) }, 400],
    ] as const) {
      const found = (await Array.fromAsync(exportMessages(many.store.read, query))).flat()
      expect(found).toHaveLength(count)
      expect(new Set(found.map(({ id }) => id)).size).toBe(count)
      const times = found.map(({ timestamp }) => timestamp)
      expect(times).toEqual(times.toSorted().reverse())
    }
    await many.close()
  })
})

describe('GET /internal/search', () => {
  const search = async (query: string) =>
    (await tracker.get(`/internal/search?${query}`, await tracker.asService('gateway'))).body

  test('a request by its id', async () => {
    expect(await search('q=r-b')).toEqual([
      {
        kind: 'request',
        id: 'r-b',
        title: 'Request r-b',
        detail: '1 log message, the last from wallet',
        status: 'PENDING',
        at: '2026-01-31T12:01:00.000Z',
      },
    ])
    expect(await search('q=r-')).toEqual([])
  })

  test('nothing for a participant', async () => {
    expect(await search(`q=r-b&participantId=${bought}`)).toEqual([])
  })
})
