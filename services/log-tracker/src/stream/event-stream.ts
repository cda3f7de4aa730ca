import type { JoinRefusal, LiveStream, Reader } from './live-stream'
import { mostBufferedBytes, tooSlow } from './slow-reader'

/** Shorter than the idle time after which proxies, and this server, close a connection. */
const heartbeatMs = 15_000

/**
 * The stream as Server-Sent Events: `data` is a log message, `id` its id. Its last event is `end`, with the reason.
 * Returns why when the reader cannot join.
 */
export function openEventStream(
  stream: LiveStream,
  { address, filter }: Pick<Reader, 'address' | 'filter'>,
): ReadableStream<Uint8Array> | JoinRefusal {
  const encoder = new TextEncoder()
  let output: ReadableStreamDefaultController<Uint8Array> | undefined
  const put = (text: string) => output?.enqueue(encoder.encode(text))

  function end(reason: string) {
    leave()
    clearInterval(heartbeat)
    put(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`)
    output?.close()
    output = undefined
  }
  const joined = stream.join({
    address,
    filter,
    send({ id, json }) {
      if ((output?.desiredSize ?? 0) <= 0) end(tooSlow)
      else put(`id: ${id}\ndata: ${json}\n\n`)
    },
    end: () => end('The service is stopping'),
  })
  if (typeof joined === 'string') return joined
  const leave = joined
  const heartbeat = setInterval(() => put(': heartbeat\n\n'), heartbeatMs)
  heartbeat.unref()
  return new ReadableStream(
    {
      start(controller) {
        output = controller
        put(': messages follow\n\n')
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
