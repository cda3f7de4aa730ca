import { expect, test } from 'bun:test'
import { eventText } from '@bursar/contracts/event'
import { Counted, envelope } from '../test/events'
import { packEvents, unpackEvents, unpackSigned } from './packed-events'

const events = (count: number) => Array.from({ length: count }, (_, n) => envelope(Counted, { n }))

test('few events are JSON that a person can read', () => {
  const few = events(3)
  expect(packEvents(few.map(eventText))).toBe(JSON.stringify(few))
  expect(unpackEvents(packEvents(few.map(eventText)))).toEqual(few)
})

test('many events take a small part of their JSON, and come back as they were', () => {
  const many = events(50)
  many[7] = { ...envelope(Counted, { n: 7 }), requestId: 'Grüße, 世界, 🦉' }
  const text = packEvents(many.map(eventText))
  expect(text.length).toBeLessThan(JSON.stringify(many).length / 3)
  expect(unpackEvents(text)).toEqual(many)
  expect(unpackSigned(text)).toEqual(many)
})

test('many events as plain JSON are read too: a queue may hold them from before an update', () => {
  const many = events(50)
  expect(unpackEvents(JSON.stringify(many))).toEqual(many)
})

test('what is neither, or would fill the memory, is refused', () => {
  const bomb = Bun.zstdCompressSync(Buffer.alloc(65 * 1024 * 1024)).toString('base64')
  for (const text of ['', 'no JSON', 'zstd,', 'zstd,AAAA', `zstd,${bomb}`]) expect(() => unpackEvents(text)).toThrow()
})
