import { expect, test } from 'bun:test'
import { groupRows } from './group-rows'
import type { LogMessage } from './log-query'

let made = 0
const message = (event_type: string, service: string, metadata: Record<string, unknown> = {}): LogMessage =>
  ({ id: String(++made), event_type, service, status: 'SUCCESS', metadata }) as unknown as LogMessage
const countsOf = (items: ReturnType<typeof groupRows>) => items.map(({ alike }) => alike.length)

test('alike ones that follow each other are one line, from three on', () => {
  const started = ['quote', 'wallet', 'webhook'].map((service) => message('SERVICE_STARTED', service))
  const rows = [...started, message('HEALTH_CHECK', 'quote'), ...started.slice(0, 2).map((each) => ({ ...each }))]
  expect(countsOf(groupRows(rows, new Set()))).toEqual([3, 1, 1, 1])
})

test('a failure stands by itself', () => {
  const rows = ['quote', 'wallet', 'webhook'].map((service) => message('SERVICE_STARTED', service))
  const failed = { ...message('SERVICE_STARTED', 'message'), status: 'FAILURE' as const }
  expect(countsOf(groupRows([...rows, failed], new Set()))).toEqual([3, 1])
})

test('what was opened stands line by line', () => {
  const rows = ['quote', 'wallet', 'webhook'].map((service) => message('SERVICE_STARTED', service))
  expect(countsOf(groupRows(rows, new Set([rows[0]?.id ?? ''])))).toEqual([1, 1, 1])
})

test('messages about records stand by themselves', () => {
  const rows = ['a', 'b', 'c'].map((transaction_id) =>
    message('TRANSACTION_CREATED', 'core-ledger', { transaction_id }),
  )
  expect(countsOf(groupRows(rows, new Set()))).toEqual([1, 1, 1])
  expect(groupRows([], new Set())).toEqual([])
})
