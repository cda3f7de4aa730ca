import type { Log } from '@bursar/contracts/log'
import { nextTurn } from '@bursar/store'
import { currentRequest } from '../request/context'

/**
 * A body generated while it is sent, in constant memory: the next piece is read when the client has received the last.
 * A disconnecting client ends the generation. If a piece fails the answer is aborted, so that nobody takes it
 * for whole.
 */
export function textStream(pieces: AsyncGenerator<string>, log: Log): ReadableStream<Uint8Array> {
  const request = currentRequest()
  if (request) request.isStreamed = true
  return new ReadableStream(source(pieces, log))
}

/** Bun's own kind of source: it would read all pieces of a standard one at once, without back-pressure. */
const source = (pieces: AsyncGenerator<string>, log: Log): Bun.DirectUnderlyingSource<Uint8Array> => ({
  type: 'direct',
  async pull(controller) {
    try {
      for await (const piece of pieces) {
        // Written, it would look like a client that has gone.
        if (piece === '') continue
        const isTaken = (await controller.write(piece)) !== 0
        // Lets waiting requests and the socket run first.
        await nextTurn()
        if (!isTaken) return
      }
      controller.close()
    } catch (error) {
      log.error({ err: error }, 'A list was aborted')
      controller.close(error instanceof Error ? error : new Error(String(error)))
    } finally {
      await pieces.return(undefined)
    }
  },
})
