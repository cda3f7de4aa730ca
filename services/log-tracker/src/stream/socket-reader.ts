import type { MessageFilter } from '../log-messages/log-messages.model'
import type { LiveStream } from './live-stream'
import { mostBufferedBytes, tooSlow } from './slow-reader'

/** What of Bun's WebSocket is needed. */
export type Socket = Pick<Bun.ServerWebSocket, 'getBufferedAmount' | 'sendText' | 'close' | 'terminate'>

export const noPlace = 'There is no place for one more reader'

const goingAway = 1001
const tryAgainLater = 1013
/** How long a slow reader gets to take what it has, and the reason, before it is cut off. */
const farewellMs = 5000

/** Sends the stream to a socket, a log message as JSON in each frame. Returns what to do when the socket has closed. */
export function followBySocket(stream: LiveStream, filter: MessageFilter, socket: Socket): () => void {
  let farewell: ReturnType<typeof setTimeout> | undefined
  function letGo() {
    leave?.()
    socket.close(tryAgainLater, tooSlow)
    farewell = setTimeout(() => socket.terminate(), farewellMs)
  }
  const leave = stream.join({
    filter,
    send({ json }) {
      if (socket.getBufferedAmount() + json.length > mostBufferedBytes) letGo()
      else socket.sendText(json)
    },
    end: () => socket.close(goingAway, 'The service is stopping'),
  })
  if (!leave) socket.close(tryAgainLater, noPlace)
  return () => {
    clearTimeout(farewell)
    leave?.()
  }
}
