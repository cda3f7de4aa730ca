import { expect, test } from 'bun:test'
import type { LogMessage } from '../log-messages/log-messages.model'
import { createLiveStream } from './live-stream'
import { followBySocket } from './socket-reader'

const message: LogMessage = {
  id: '01a1fe8f-0000-7000-8000-000000000000',
  service: 'quote',
  request_id: 'r',
  event_type: 'WALLET_CREATED',
  status: 'SUCCESS',
  timestamp: '2026-01-31T12:00:00.000Z',
  metadata: { text: 'x'.repeat(30_000) },
}

const reader = { address: '203.0.113.5', filter: {} }

/** A socket whose peer reads nothing. */
function stuckSocket() {
  const sent: string[] = []
  const closed: (string | number | undefined)[][] = []
  return {
    sent,
    closed,
    getBufferedAmount: () => sent.join('').length,
    sendText: (text: string) => sent.push(text),
    close: (code?: number, reason?: string) => void closed.push([code, reason]),
    terminate: () => void closed.push(['terminated']),
  }
}

test('a socket that reads nothing is dropped after a megabyte, with the reason', () => {
  const stream = createLiveStream({ mostPerAddress: 20 })
  const socket = stuckSocket()
  const left = followBySocket(stream, reader, socket)
  for (let n = 0; n < 50; n++) stream.send(message)
  expect(socket.getBufferedAmount()).toBeLessThanOrEqual(1024 * 1024)
  expect(socket.sent.length).toBeGreaterThan(30)
  expect(socket.closed).toEqual([[1013, 'This reader is too slow: messages were dropped']])
  expect(stream.readers()).toBe(0)
  left()
})

test('a socket is refused when the stream is full, and closed when the stream ends', () => {
  const stream = createLiveStream({ mostPerAddress: 20 })
  const socket = stuckSocket()
  const left = followBySocket(stream, reader, socket)
  stream.end()
  expect(socket.closed).toEqual([[1001, 'The service is stopping']])
  left()
  const late = stuckSocket()
  followBySocket(stream, reader, late)()
  expect(late.closed).toEqual([[1013, 'The stream takes no more readers; try again later']])
})
