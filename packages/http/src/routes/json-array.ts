import type { Log } from '@bursar/contracts/log'

/**
 * A list without pages as a JSON array, in flat memory. One that fits into a single chunk is answered as it is, so that
 * its schema is checked in tests; a longer one as a stream whose next chunk is read when the client has taken the last.
 * A client that goes away ends the reading. When a chunk cannot be read the answer is broken off, so that nobody takes
 * it for whole.
 */
export async function jsonArray<T>(chunks: AsyncGenerator<T[]>, log: Log): Promise<T[]> {
  const first = await chunks.next()
  if (first.done) return []
  const second = await chunks.next()
  if (second.done) return first.value
  const body = new ReadableStream(source([first.value, second.value], chunks, log))
  // Elysia takes a response from any handler; only the handler's type does not say so.
  return new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' } }) as unknown as T[]
}

/** Bun's own kind of source: of a standard one it would read all chunks at once, whether the client takes them or not. */
function source<T>(begun: T[][], rest: AsyncGenerator<T[]>, log: Log): Bun.DirectUnderlyingSource<Uint8Array> {
  let opening = '['
  const write = async (controller: ReadableStreamDirectController, chunk: T[]): Promise<boolean> => {
    const isTaken = (await controller.write(opening + JSON.stringify(chunk).slice(1, -1))) !== 0
    opening = ','
    await nextTurn()
    return isTaken
  }
  return {
    type: 'direct',
    async pull(controller) {
      try {
        for (const chunk of begun) if (!(await write(controller, chunk))) return
        for await (const chunk of rest) if (!(await write(controller, chunk))) return
        controller.write(']')
        controller.close()
      } catch (error) {
        log.error({ err: error }, 'A list was broken off')
        controller.close(error instanceof Error ? error : new Error(String(error)))
      } finally {
        await rest.return(undefined)
      }
    },
  }
}

/** Lets everything else that waits go first: other requests, and the socket. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
