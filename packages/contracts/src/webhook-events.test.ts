import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { webhookEvents } from './webhook-events'

test.each(webhookEvents.map((event) => [event.type, event] as const))(
  'the example of %s has its schema',
  (type, { body, example }) => {
    expect([...Value.Errors(body, example)]).toEqual([])
    expect(example.type).toBe(type)
  },
)
