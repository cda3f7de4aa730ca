import type { Missed } from '../log-messages/missed-messages'
import type { JoinRefusal, LiveStream, Reader, SentMessage } from './live-stream'
import { mostBufferedBytes, tooSlow } from './socket-limits'

/** Shorter than the idle time after which proxies, and this server, close a connection. */
const heartbeatMs = 15_000

/**
 * The stream as Server-Sent Events: `data` is a log message, `id` its id. Messages that the reader `missed` come first,
 * after an event `gap` when they are incomplete. The last event is `end`, with the reason. Returns the reason when the
 * reader cannot join.
 */
export async function openEventStream(
  stream: LiveStream,
  { address, filter }: Pick<Reader, 'address' | 'filter'>,
  missed?: () => Promise<Missed>,
): Promise<ReadableStream<Uint8Array> | JoinRefusal> {
  const encoder = new TextEncoder()
  let output: ReadableStreamDefaultController<Uint8Array> | undefined
  const put = (text: string) => output?.enqueue(encoder.encode(text))
  // Messages that arrive while the missed ones are read. The reader joins first, so that none is lost.
  let waiting: SentMessage[] | null = missed ? [] : null
  // A message that is stored but not yet sent is read with the missed ones, and then arrives again.
  const repeated = new Set<string>()

  let ended: string | undefined
  const heartbeat = setInterval(() => {
    put(': heartbeat\n\n')
    repeated.clear()
  }, heartbeatMs)
  heartbeat.unref()

  function end(reason: string) {
    ended = reason
    leave()
    put(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`)
    output?.close()
    output = undefined
  }
  function send({ id, json }: SentMessage) {
    if ((output?.desiredSize ?? 0) <= 0) end(tooSlow)
    else put(`id: ${id}\ndata: ${json}\n\n`)
  }
  function catchUp({ messages, gap }: Missed) {
    if (gap) put(`event: gap\ndata: ${JSON.stringify({ reason: gap })}\n\n`)
    for (const message of messages) {
      repeated.add(message.id)
      send({ id: message.id, json: JSON.stringify(message) })
    }
    const live = waiting ?? []
    waiting = null
    for (const message of live) if (!repeated.delete(message.id)) send(message)
  }
  const joined = stream.join({
    address,
    filter,
    send: (message) => {
      if (waiting) waiting.push(message)
      else if (!repeated.delete(message.id)) send(message)
    },
    end,
  })
  if (typeof joined === 'string') {
    clearInterval(heartbeat)
    return joined
  }
  const leave = () => {
    clearInterval(heartbeat)
    joined()
  }
  const found = await missed?.().catch((error) => {
    leave()
    throw error
  })
  return new ReadableStream(
    {
      start(controller) {
        output = controller
        put(': messages follow\n\n')
        if (found) catchUp(found)
        // It may have ended while the missed ones were read.
        if (ended !== undefined) end(ended)
      },
      cancel() {
        output = undefined
        leave()
      },
    },
    { highWaterMark: mostBufferedBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  )
}
