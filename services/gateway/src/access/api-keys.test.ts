import { expect, test } from 'bun:test'
import type { Client } from '@bursar/http'
import { fixedClock } from '@bursar/testing'
import { createApiKeys } from './api-keys'

test('a key is valid until it expires, and not a moment longer, even if it was looked up just before', async () => {
  const clock = fixedClock('2026-03-01T12:00:00.000Z')
  const answer = { participantId: 'p', status: 'valid', validUntil: '2026-03-01T12:00:02.000Z', addresses: null }
  const client = { find: async () => answer } as unknown as Client
  const keys = createApiKeys(client, 'sandbox', () => clock().getTime())
  expect((await keys.ownerOf('sk_test_a', 'hash')).caller.participantId).toBe('p')
  clock.advance(1999)
  expect(keys.known('hash')?.caller.participantId).toBe('p')
  clock.advance(1)
  expect(keys.known('hash')).toBeUndefined()
  expect(keys.ownerOf('sk_test_a', 'hash')).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
})

test('a key that ends is refused after seconds, also when it was looked up by a clock that has been set right since', async () => {
  const clock = fixedClock('2026-03-02T12:00:00.000Z')
  const valid = { participantId: 'p', status: 'valid', validUntil: '2999-01-01T00:00:00.000Z', addresses: null }
  const client = { find: async () => valid } as unknown as Client
  const keys = createApiKeys(client, 'sandbox', () => clock().getTime())
  await keys.ownerOf('sk_test_a', 'hash')
  clock.advance(-24 * 60 * 60_000)
  expect(keys.known('hash')).toBeUndefined()
})

test('a look-up that took long is good for less: a key that ends during it is refused within five seconds', async () => {
  const clock = fixedClock('2026-03-01T12:00:00.000Z')
  const answer = { participantId: 'p', status: 'valid', validUntil: '2999-01-01T00:00:00.000Z', addresses: null }
  const late = Promise.withResolvers<typeof answer>()
  const client = { find: () => late.promise } as unknown as Client
  const keys = createApiKeys(client, 'sandbox', () => clock().getTime())
  const asked = keys.ownerOf('sk_test_a', 'hash')
  clock.advance(4000)
  late.resolve(answer)
  expect((await asked).caller.participantId).toBe('p')
  clock.advance(999)
  expect(keys.known('hash')?.caller.participantId).toBe('p')
  clock.advance(1)
  expect(keys.known('hash')).toBeUndefined()
})
