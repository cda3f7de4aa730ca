import type { MessageFilter } from '../log-messages/log-messages.model'
import type { LiveStream } from './live-stream'
import { mostBufferedBytes, tooSlow } from './slow-reader'

/** Shorter than what proxies, and our own server, take for a dead connection. */
const heartbeatMs = 15_000

/**
 * The stream as Server-Sent Events: `data` is a log message, `id` its id. Its last event is `end`, with the reason.
 * Null when there is no place for one more reader.
 */
export function openEventStream(stream: LiveStream, filter: MessageFilter): ReadableStream<Uint8Array> | null {
  const encoder = new TextEncoder()
  let output: ReadableStreamDefaultController<Uint8Array> | undefined
  const put = (text: string) => output?.enqueue(encoder.encode(text))

  function end(reason: string) {
    leave?.()
    clearInterval(heartbeat)
    put(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`)
    output?.close()
    output = undefined
  }
  const leave = stream.join({
    filter,
    send({ id, json }) {
      if ((output?.desiredSize ?? 0) <= 0) end(tooSlow)
      else put(`id: ${id}\ndata: ${json}\n\n`)
    },
    end: () => end('The service is stopping'),
  })
  if (!leave) return null
  const heartbeat = setInterval(() => put(': still here\n\n'), heartbeatMs)
  heartbeat.unref()
  return new ReadableStream(
    {
      start(controller) {
        output = controller
        put(': here come the messages\n\n')
      },
      cancel() {
        output = undefined
        leave()
        clearInterval(heartbeat)
      },
    },
    { highWaterMark: mostBufferedBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  )
}
