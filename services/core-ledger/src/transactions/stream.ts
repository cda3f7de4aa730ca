import type { Log } from '@bursar/contracts/log'

/**
 * JSON text in pieces as an answer: the next piece is made when the client has taken the last. When one cannot be made
 * the answer is broken off, so that nobody takes it for whole.
 */
export function streamOf(pieces: AsyncGenerator<string>, log: Log): Response {
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    // Bun's own kind: of the standard one it would make all pieces at once, whether the client takes them or not.
    type: 'direct',
    async pull(controller) {
      try {
        for await (const piece of pieces) {
          const isGone = (await controller.write(piece)) === 0
          if (isGone) return
          await nextTurn()
        }
      } catch (error) {
        log.error({ err: error }, 'An answer in pieces was broken off')
        throw error
      }
      controller.close()
    },
  }
  return new Response(new ReadableStream(source), { headers: { 'content-type': 'application/json; charset=utf-8' } })
}

/** Lets everything else that waits go first: other requests, and the socket. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
