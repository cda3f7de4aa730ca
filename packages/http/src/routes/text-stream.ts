import type { Log } from '@bursar/contracts/log'

/**
 * A body that is made while it is sent, in flat memory: its next piece is asked for when the client has taken the last.
 * A client that goes away ends the making. When a piece cannot be made the answer is broken off, so that nobody takes it
 * for whole.
 */
export const textStream = (pieces: AsyncGenerator<string>, log: Log): ReadableStream<Uint8Array> =>
  new ReadableStream(source(pieces, log))

/** Bun's own kind of source: of a standard one it would read all pieces at once, whether the client takes them or not. */
const source = (pieces: AsyncGenerator<string>, log: Log): Bun.DirectUnderlyingSource<Uint8Array> => ({
  type: 'direct',
  async pull(controller) {
    try {
      for await (const piece of pieces) {
        const isTaken = (await controller.write(piece)) !== 0
        await nextTurn()
        if (!isTaken) return
      }
      controller.close()
    } catch (error) {
      log.error({ err: error }, 'A list was broken off')
      controller.close(error instanceof Error ? error : new Error(String(error)))
    } finally {
      await pieces.return(undefined)
    }
  },
})

/** Lets everything else that waits go first: other requests, and the socket. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
