import { type Deps, errorResponses } from '@bursar/http'
import { Elysia } from 'elysia'
import { fail } from '../errors'
import { StreamQuery } from '../log-messages/log-messages.model'
import { openEventStream } from './event-stream'
import type { LiveStream } from './live-stream'
import { followBySocket, noPlace, type Socket } from './socket-reader'

const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }

/** New log messages as they come: over a WebSocket, or to a plain GET as Server-Sent Events. */
export const streamRoutes = ({ metrics }: Pick<Deps, 'metrics'>, stream: LiveStream) => {
  metrics.add({ name: 'bursar_stream_readers', help: 'Readers that follow new log messages', read: stream.readers })
  const leaving = new Map<string, () => void>()
  return new Elysia({ prefix: '/log-messages', tags: ['Log messages'] })
    .ws('/stream', {
      query: StreamQuery,
      // The document tells of it below, where the same path is a GET.
      detail: { hide: true },
      open: ({ id, data, raw }) => {
        // Elysia's own type of Bun's socket lacks some of its methods.
        const socket = raw as unknown as Socket
        leaving.set(id, followBySocket(stream, data.query, socket))
      },
      close: (socket) => {
        leaving.get(socket.id)?.()
        leaving.delete(socket.id)
      },
    })
    .get(
      '/stream',
      ({ query, request }) => {
        // Nobody reads the answer to a HEAD.
        if (request.method === 'HEAD') return new Response(null, { headers })
        const events = openEventStream(stream, query)
        if (!events) throw fail('SERVICE_UNAVAILABLE', { message: noPlace })
        return new Response(events, { headers })
      },
      {
        query: StreamQuery,
        detail: {
          summary: 'Follow new log messages',
          description: 'Server-Sent Events; a request to upgrade gets a WebSocket with one log message in each frame.',
          responses: {
            101: { description: 'The WebSocket is open' },
            200: {
              description: 'Log messages as they come',
              content: { 'text/event-stream': { schema: { type: 'string' } } },
            },
            ...errorResponses({ 503: noPlace }),
          },
        },
      },
    )
}
