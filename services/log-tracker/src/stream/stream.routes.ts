import { clientAddress, operation, peerAddress } from '@bursar/http'
import { Elysia } from 'elysia'
import type { TrackerDeps } from '../deps'
import { fail } from '../errors'
import { StreamQuery } from '../log-messages/log-messages.model'
import { missedSince } from '../log-messages/missed-messages'
import { openEventStream } from './event-stream'
import { addressIsFull, followBySocket, type Socket, streamIsFull } from './socket-reader'

const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }

/** Streams new log messages: over a WebSocket, or as Server-Sent Events to a plain GET. */
export const streamRoutes = ({ metrics, store, stream }: Pick<TrackerDeps, 'metrics' | 'store' | 'stream'>) => {
  metrics.add({ name: 'bursar_stream_readers', help: 'Readers that follow new log messages', read: stream.readers })
  const leaving = new Map<string, () => void>()
  return new Elysia({ prefix: '/log-messages', tags: ['Log messages'] })
    .ws('/stream', {
      query: StreamQuery,
      // The GET of the same path, below, documents it.
      detail: { hide: true },
      open: ({ id, data, raw, remoteAddress }) => {
        const address = clientAddress(remoteAddress, data.headers['x-forwarded-for'])
        // Elysia's own type of Bun's socket lacks some of its methods.
        const socket = raw as unknown as Socket
        leaving.set(id, followBySocket(stream, { address, filter: data.query }, socket))
      },
      close: (socket) => {
        leaving.get(socket.id)?.()
        leaving.delete(socket.id)
      },
    })
    .get(
      '/stream',
      async ({ query: { lastEventId, ...filter }, request, server }) => {
        // HEAD has no body to stream.
        if (request.method === 'HEAD') return new Response(null, { headers })
        const address = clientAddress(peerAddress(request, server), request.headers.get('x-forwarded-for'))
        const lastId = request.headers.get('last-event-id') || lastEventId
        const missed = lastId === undefined ? undefined : () => missedSince(store.read, lastId, filter)
        const events = await openEventStream(stream, { address, filter }, missed)
        if (events === 'full') throw fail('SERVICE_UNAVAILABLE', { message: streamIsFull })
        if (events === 'too many of the address') {
          const details = { limit: stream.mostPerAddress, remaining: 0, resetAt: null }
          throw fail('RATE_LIMITED', { message: addressIsFull, details })
        }
        return new Response(events, { headers })
      },
      {
        query: StreamQuery,
        detail: operation('streamLogMessages', 'Follow new log messages', {
          description:
            'Server-Sent Events; a request to upgrade gets a WebSocket with one log message in each frame. A reader ' +
            'with more than a megabyte of unread data is dropped. A reader that sends the header Last-Event-ID, or `lastEventId`, ' +
            'first gets the messages that it missed: the newest thousand at most, and an event `gap` when they are ' +
            'incomplete. The last event is `end`, with the reason.',
          responses: {
            101: { description: 'The WebSocket is open' },
            200: {
              description: 'Log messages as they arrive',
              content: { 'text/event-stream': { schema: { type: 'string' } } },
            },
          },
          429: addressIsFull,
          503: streamIsFull,
        }),
      },
    )
}
