import { expect, test } from 'bun:test'
import { eventTypesOf } from './event-types'

test('events are read however they are separated, and nothing means all', () => {
  expect(eventTypesOf(' sanctions.completed,\nsanctions.failed; sanctions.completed ')).toEqual([
    'sanctions.completed',
    'sanctions.failed',
  ])
  expect(eventTypesOf('  ')).toEqual([])
})
