import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { requestLimits } from '../src/log-messages/find-page'
import { listLogMessages } from '../src/log-messages/log-messages'
import { type TestTracker, testTracker } from './harness'

describe('GET /log-messages?sortBy=request_id', () => {
  test('from the first page to the last and beyond, in both directions', async () => {
    const many = await testTracker()
    await many.record(
      ...Array.from({ length: 23 }, (_, n) => ({ request_id: `r-${(n * 7) % 23}`.padEnd(5, '0'), metadata: { n } })),
    )
    const pageOf = async (query: string): Promise<number[]> => {
      const { body } = await many.get(`/tracker/v1/log-messages?sortBy=request_id&${query}`)
      return body.data.map(({ metadata }: { metadata: { n: number } }) => metadata.n)
    }
    const byRequest = Array.from({ length: 23 }, (_, n) => n).sort((a, b) => {
      const [one, other] = [a, b].map((n) => `r-${(n * 7) % 23}`.padEnd(5, '0')) as [string, string]
      return one < other ? -1 : 1
    })
    for (const [sortOrder, expected] of [
      ['asc', byRequest],
      ['desc', byRequest.toReversed()],
    ] as const) {
      for (const limit of [1, 5, 10, 23, 50]) {
        for (let offset = 0; offset * limit < 30; offset++) {
          const rows = expected.slice(offset * limit, (offset + 1) * limit)
          expect(await pageOf(`sortOrder=${sortOrder}&limit=${limit}&offset=${offset}`)).toEqual(rows)
        }
      }
    }
    await many.close()
  })

  describe('far from both ends', () => {
    let many: TestTracker
    beforeAll(async () => {
      many = await testTracker()
      const messages = Array.from({ length: 30 }, (_, n) => ({
        request_id: `r-${n}`.padEnd(5, '0'),
        service: n % 3 === 0 ? ('quote' as const) : ('account' as const),
        timestamp: new Date(Date.UTC(2026, 0, 31) + n).toISOString(),
        metadata: { n },
      }))
      await many.record(...messages)
    })
    afterAll(() => many.close())

    const page = (offset: number, more: object = {}, requests = { passed: 10, sorted: 0 }) => {
      const query = { limit: 2, offset, sortBy: 'request_id', sortOrder: 'asc', ...more } as const
      return listLogMessages(many.store.read, query, { requests })
    }
    const expectRefused = async (asked: Promise<unknown>) => {
      const refusal = await asked.catch((error: unknown) => error)
      expect(refusal).toMatchObject({ code: 'INVALID_REQUEST', status: 400, details: [{ field: 'offset' }] })
      expect((refusal as Error).message).toContain('narrow the list with filters')
    }

    test('400 that suggests filters', async () => {
      for (const offset of [0, 5, 9, 14, 15]) expect((await page(offset)).data).toHaveLength(offset < 15 ? 2 : 0)
      for (const offset of [6, 7, 8]) await expectRefused(page(offset))
      for (const sortBy of ['timestamp', 'service'] as const) expect((await page(7, { sortBy })).data).toHaveLength(2)
      expect((await page(7, { requestId: 'r-100' })).data).toEqual([])
    })

    test('messages that do not match count as well, and those of few matches are sorted', async () => {
      // Each third message matches: ten in all, of which the first and the last twelve contain four each.
      const service = 'quote'
      for (const offset of [0, 1, 3, 4]) expect((await page(offset, { service })).data).toHaveLength(2)
      await expectRefused(page(2, { service }))
      const sorted = await page(2, { service }, { passed: 10, sorted: 10 })
      expect(sorted.data.map(({ metadata }) => metadata.n)).toEqual([21, 24])
      await expectRefused(page(2, { service }, { passed: 10, sorted: 9 }))
    })

    test('a period whose requests are all far from both ends is sorted as well', async () => {
      const dates = { startDate: new Date(Date.UTC(2026, 0, 31) + 3), endDate: new Date(Date.UTC(2026, 0, 31) + 4) }
      await expectRefused(page(0, dates, { passed: 5, sorted: 1 }))
      const sorted = await page(0, dates, { passed: 5, sorted: 2 })
      expect(sorted.data.map(({ metadata }) => metadata.n)).toEqual([3, 4])
    })

    test('the limits', () => expect(requestLimits).toEqual({ passed: 150_000, sorted: 5000 }))
  })
})
