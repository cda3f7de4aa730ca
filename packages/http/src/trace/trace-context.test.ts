import { describe, expect, test } from 'bun:test'
import { isTaken, newSpanId, newTraceId, parseTraceparent, traceparentOf } from './trace-context'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

describe('traceparent', () => {
  test.each([
    [`00-${traceId}-${spanId}-01`, true],
    [`00-${traceId}-${spanId}-00`, false],
    [`00-${traceId}-${spanId}-03`, true],
    [`cc-${traceId}-${spanId}-01-what-the-future-will-be-like`, true],
    [`cc-${traceId}-${spanId}-01`, true],
  ])('%s is a place', (header, isSampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId, spanId, isSampled })
  })

  test.each([
    null,
    undefined,
    '',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `ff-${traceId}-${spanId}-01`,
    `cc-${traceId}-${spanId}-01.more`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-1`,
    ` 00-${traceId}-${spanId}-01`,
  ])('%j is none', (header) => {
    expect(parseTraceparent(header)).toBeNull()
  })

  test('is what it was read from', () => {
    for (const flags of ['00', '01']) {
      const header = `00-${traceId}-${spanId}-${flags}`
      expect(traceparentOf(parseTraceparent(header) ?? { traceId: '', spanId: '', isSampled: false })).toBe(header)
    }
  })
})

test('ids are random, and whole', () => {
  const ids = Array.from({ length: 2000 }, newTraceId)
  expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(2000)
  expect(newSpanId()).toMatch(/^[0-9a-f]{16}$/)
})

test('as many traces are taken as the ratio says, the same ones everywhere', () => {
  const ids = Array.from({ length: 20_000 }, newTraceId)
  const taken = (ratio: number) => ids.filter((id) => isTaken(id, ratio))
  expect([taken(0).length, taken(1).length]).toEqual([0, 20_000])
  expect(taken(0.1).length).toBeGreaterThan(1500)
  expect(taken(0.1).length).toBeLessThan(2500)
  expect(taken(0.2)).toEqual(expect.arrayContaining(taken(0.1)))
})
