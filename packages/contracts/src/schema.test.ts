import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { isIsoTime, nonBlank, parseIsoTime, t, text } from './schema'

test.each([
  ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
  ['2026-01-02T03:04:05.678', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
  ['2026-01-02T03:04:05-0230', '2026-01-02T05:34:05.000Z'],
])('%s is a moment; without a zone it is UTC', (text, moment) => {
  expect(isIsoTime(text)).toBe(true)
  expect(parseIsoTime(text).toISOString()).toBe(moment)
})

test.each([
  ...['', 'soon', '2026-02-30', '2026-13-01', '2026-01-00', '2026-00-01', '2026-04-31', '2023-02-29', '1900-02-29'],
  ...['2026-01-02T25:00', '2026-01-02Z', '20260102', '0004-13-15', '0009-12-00'],
  // In UTC their years have not four digits.
  ...['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00'],
])('%j is none', (text) => {
  expect(isIsoTime(text)).toBe(false)
})

test.each(['2024-02-29', '2000-02-29', '2026-12-31', '2026-04-30'])('%s is the last day of its month', (text) => {
  expect(isIsoTime(text)).toBe(true)
})

test('a moment as services write it is one if it comes out as it went in', () => {
  const two = (number: number) => String(number).padStart(2, '0')
  const wrong: string[] = []
  const texts = ['2024', '2026', '1900', '0004'].flatMap((year) => {
    const days = Array.from(
      { length: 14 * 33 },
      (_, n) => `${year}-${two(n % 14)}-${two(Math.floor(n / 14))}T00:00:00.000Z`,
    )
    const times = Array.from({ length: 62 }, (_, n) => [`${two(n)}:00:00`, `00:${two(n)}:00`, `00:00:${two(n)}`]).flat()
    // ISO 8601 has 24:00:00 as the end of a day, which comes out as the next day's beginning.
    return [...days, ...times.filter((time) => time !== '24:00:00').map((time) => `${year}-03-07T${time}.120Z`)]
  })
  for (const text of texts) {
    const moment = new Date(text)
    const isOne = !Number.isNaN(moment.getTime()) && moment.toISOString() === text
    if (isIsoTime(text) !== isOne) wrong.push(text)
  }
  expect(wrong).toEqual([])
})

test.each([
  ['text', text(3)],
  ['nonBlank', nonBlank(3)],
])('%s counts characters, as JSON Schema does', (_, schema) => {
  for (const right of ['a', 'abc', '🏦🏦🏦', 'é🏦z']) expect(Value.Check(schema, right)).toBe(true)
  for (const wrong of ['', 'abcd', '🏦🏦🏦🏦', 'a\nb', 'a\u202eb', 3, null])
    expect(Value.Check(schema, wrong)).toBe(false)
})

test('a limit of any text counts characters', () => {
  const code = t.String({ minLength: 2, maxLength: 3, pattern: '^[^-]*$', format: 'single-line' })
  for (const right of ['ab', 'abc', '🏦🏦', '🏦🏦🏦']) expect(Value.Check(code, right)).toBe(true)
  for (const wrong of ['a', '🏦', 'abcd', '🏦🏦🏦🏦', 'a-b', 'a\nb', 12, null])
    expect(Value.Check(code, wrong)).toBe(false)
  expect(Value.Check(t.String({ minLength: 2 }), '🏦')).toBe(false)
})

test('a text may be blank, a name may not', () => {
  expect(Value.Check(text(), ' ')).toBe(true)
  expect(Value.Check(nonBlank(), ' ')).toBe(false)
  expect(Value.Check(nonBlank(), ' a ')).toBe(true)
})
