import { expect, test } from 'bun:test'
import { inSnakeCase } from './watch'

test('names in the tracker’s metadata are in snake_case', () => {
  expect(inSnakeCase({ messageQueue: 'Redis does not answer', database: 'The disk is full' })).toEqual({
    message_queue: 'Redis does not answer',
    database: 'The disk is full',
  })
})
