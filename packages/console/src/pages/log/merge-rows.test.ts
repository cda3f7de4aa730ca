import { expect, test } from 'bun:test'
import type { LogMessage } from './log-query'
import { mergeRows } from './merge-rows'

const at = (second: number, id: string) => ({ id, timestamp: `2026-01-31T12:00:0${second}.000Z` }) as LogMessage
const ids = (rows: LogMessage[]) => rows.map(({ id }) => id).join('')

test('rows are together, the newest first, each once', () => {
  const rows = [at(4, 'd'), at(2, 'b')]
  expect(ids(mergeRows(rows, [at(3, 'c'), at(4, 'd'), at(5, 'e')]))).toBe('edcb')
  expect(ids(mergeRows([], [at(1, 'a'), at(1, 'a'), at(1, 'b')]))).toBe('ba')
  expect(ids(mergeRows(rows, []))).toBe('db')
})

test('the oldest fall out', () => {
  expect(ids(mergeRows([at(2, 'b'), at(1, 'a')], [at(3, 'c')], 2))).toBe('cb')
})
