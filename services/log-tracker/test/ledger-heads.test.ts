import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { getNewestLedgerHead, type LedgerHead } from '@bursar/contracts/ledger-seals'
import { type TestTracker, testTracker } from './harness'

let tracker: TestTracker
beforeEach(async () => {
  tracker = await testTracker()
})
afterEach(() => tracker.close())

const [old, current] = ['01a1fe8f-0000-7000-8000-00000000000a', '01a1fe8f-0000-7000-8000-00000000000b']
const head = (books: string, lastSeq: number, more: Partial<LedgerHead> = {}): LedgerHead => ({
  v: 1,
  books,
  lastSeq,
  number: lastSeq,
  hash: `${lastSeq}`.padStart(64, '0'),
  sealedAt: new Date(Date.UTC(2026, 0, 31) + lastSeq).toISOString(),
  ...more,
})
const envelope = (data: LedgerHead) => ({
  id: Bun.randomUUIDv7(),
  name: 'core-ledger.journal.sealed',
  type: 'core-ledger.journal.sealed',
  timestamp: data.sealedAt,
  requestId: null,
  service: 'core-ledger',
  data,
})
const sealed = async (...heads: LedgerHead[]) => {
  for (const each of heads) await tracker.consume(envelope(each))
}
const newest = async () => await tracker.get(getNewestLedgerHead.path, await tracker.asService('core-ledger'))

describe('GET /internal/ledger-heads/newest', () => {
  test('404 before the first head', async () => {
    const { status, body } = await newest()
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('200 with the head as it was sealed', async () => {
    await sealed(head(old, 7))
    const { status, body } = await newest()
    expect([status, body]).toEqual([200, head(old, 7)])
  })

  test('401 for callers that are not services of this deployment', async () => {
    await sealed(head(old, 7))
    for (const headers of [{}, await tracker.as({}), await tracker.asParticipant('p')]) {
      const { status, body } = await tracker.get(getNewestLedgerHead.path, headers)
      expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
  })

  test('is not in the OpenAPI document', async () => {
    const { body } = await tracker.get('/swagger/json')
    expect(Object.keys(body.paths).filter((path) => path.includes('internal'))).toEqual([])
  })
})

describe('a sealed head', () => {
  test('replaces a shorter one of its books, in any order of arrival', async () => {
    await sealed(head(old, 7), head(old, 9), head(old, 8))
    expect((await newest()).body).toEqual(head(old, 9))
  })

  test('never replaces one of the same length', async () => {
    await sealed(head(old, 7), head(old, 7, { hash: 'f'.repeat(64) }))
    expect((await newest()).body).toEqual(head(old, 7))
  })

  test('of new books is the newest, however short and whatever its clock says', async () => {
    await sealed(head(old, 900), head(current, 1, { sealedAt: '2020-01-01T00:00:00.000Z' }))
    expect((await newest()).body).toMatchObject({ books: current, lastSeq: 1 })
  })

  test('of old books that arrives late does not make them current', async () => {
    await sealed(head(old, 900), head(current, 1), head(old, 901))
    expect((await newest()).body).toEqual(head(current, 1))
  })

  test('acts once, however often it is delivered', async () => {
    const first = envelope(head(old, 7))
    await tracker.consume(first)
    await sealed(head(current, 1))
    await tracker.consume(first)
    expect((await newest()).body).toEqual(head(current, 1))
  })

  test('is not a log message', async () => {
    await sealed(head(old, 7))
    expect((await tracker.get('/log-messages')).body.pagination.total).toBe(0)
  })
})

test('two journals of the same length are logged as an error', async () => {
  const errors: unknown[] = []
  tracker.deps.log.error = (fields: unknown) => void errors.push(fields)
  await sealed(head(old, 7), head(old, 7), head(old, 6))
  expect(errors).toEqual([])
  await sealed(head(old, 7, { hash: 'f'.repeat(64) }))
  expect(errors).toEqual([{ books: old, lastSeq: 7 }])
})
