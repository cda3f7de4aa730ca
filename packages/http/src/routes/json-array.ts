/**
 * A list without pages as a JSON array, in flat memory. One that fits into a single chunk is answered as it is, so that
 * its schema is checked in tests; a longer one as a response that reads on as its caller takes it. Nothing is read
 * ahead, and a caller that goes away ends the reading.
 */
export async function jsonArray<T>(chunks: AsyncGenerator<T[]>): Promise<T[]> {
  const first = await chunks.next()
  if (first.done) return []
  const second = await chunks.next()
  if (second.done) return first.value
  const body = stream([first.value, second.value], chunks)
  // Elysia takes a response from any handler; only the handler's type does not say so.
  return new Response(body, { headers: { 'content-type': 'application/json' } }) as unknown as T[]
}

function stream<T>(begun: T[][], rest: AsyncGenerator<T[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let opening = '['
  return new ReadableStream(
    {
      async pull(controller) {
        const next = begun.shift() ?? (await rest.next()).value
        if (next) controller.enqueue(encoder.encode(opening + JSON.stringify(next).slice(1, -1)))
        else {
          controller.enqueue(encoder.encode(']'))
          controller.close()
        }
        opening = ','
      },
      async cancel() {
        await rest.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
