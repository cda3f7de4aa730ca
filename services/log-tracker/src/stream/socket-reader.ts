import type { LiveStream, Reader } from './live-stream'
import { mostBufferedBytes, tooSlow } from './socket-limits'

/** The methods of Bun's WebSocket that are used. */
export type Socket = Pick<Bun.ServerWebSocket, 'getBufferedAmount' | 'sendText' | 'close' | 'terminate'>

export const streamIsFull = 'The stream takes no more readers; try again later'
export const addressIsFull = 'Too many streams are open from this address'

const goingAway = 1001
const tryAgainLater = 1013
/** How long a slow reader has to receive pending data and the reason before its connection is closed. */
const farewellMs = 5000

/** Sends the stream to a socket, a log message as JSON in each frame. Returns the close handler. */
export function followBySocket(
  stream: LiveStream,
  { address, filter }: Pick<Reader, 'address' | 'filter'>,
  socket: Socket,
): () => void {
  let farewell: ReturnType<typeof setTimeout> | undefined
  function drop() {
    leave()
    socket.close(tryAgainLater, tooSlow)
    farewell = setTimeout(() => socket.terminate(), farewellMs)
  }
  const joined = stream.join({
    address,
    filter,
    send({ json }) {
      if (socket.getBufferedAmount() + Buffer.byteLength(json) > mostBufferedBytes) drop()
      else socket.sendText(json)
    },
    end: (reason) => socket.close(goingAway, reason),
  })
  const leave = typeof joined === 'string' ? () => {} : joined
  if (typeof joined === 'string') socket.close(tryAgainLater, joined === 'full' ? streamIsFull : addressIsFull)
  return () => {
    clearTimeout(farewell)
    leave()
  }
}
