import type { Log } from '@bursar/contracts/log'
import { textStream } from './text-stream'

/**
 * A list without pages as a JSON array, in flat memory. One that fits into a single chunk is answered as it is, so that
 * its schema is checked in tests; a longer one as a stream whose next chunk is read when the client has taken the last.
 * A client that goes away ends the reading. When a chunk cannot be read the answer is broken off, so that nobody takes
 * it for whole.
 */
export async function jsonArray<T>(chunks: AsyncGenerator<T[]>, log: Log): Promise<T[]> {
  const begun = await firstTwo(chunks)
  if (begun.length < 2) return begun[0] ?? []
  return streamed(begun, chunks, { opening: '[', closing: () => ']' }, log) as T[]
}

/** Such a list in an object, with the number of its items: `{"<name>": […], "count": 2}`. */
export async function countedArray<const N extends string, T>(
  name: N,
  chunks: AsyncGenerator<T[]>,
  log: Log,
): Promise<{ [K in N]: T[] } & { count: number }> {
  const begun = await firstTwo(chunks)
  const items = begun[0] ?? []
  const frame = { opening: `{${JSON.stringify(name)}:[`, closing: (count: number) => `],"count":${count}}` }
  const answer = begun.length < 2 ? { count: items.length, [name]: items } : streamed(begun, chunks, frame, log)
  return answer as { [K in N]: T[] } & { count: number }
}

/** Whether there is more than one chunk is known from the second. */
async function firstTwo<T>(chunks: AsyncGenerator<T[]>): Promise<T[][]> {
  const begun: T[][] = []
  while (begun.length < 2) {
    const next = await chunks.next()
    if (next.done) break
    begun.push(next.value)
  }
  return begun
}

/** What stands before the items, and behind them. */
interface Frame {
  opening: string
  closing: (count: number) => string
}

/** Elysia takes a response from any handler; only the handler's type does not say so. */
function streamed<T>(begun: T[][], rest: AsyncGenerator<T[]>, frame: Frame, log: Log): unknown {
  const body = textStream(pieces(begun, rest, frame), log)
  return new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' } })
}

async function* pieces<T>(
  begun: T[][],
  rest: AsyncGenerator<T[]>,
  { opening, closing }: Frame,
): AsyncGenerator<string> {
  let before = opening
  let count = 0
  const textOf = (chunk: T[]): string => {
    const piece = before + JSON.stringify(chunk).slice(1, -1)
    before = ','
    count += chunk.length
    return piece
  }
  try {
    for (const chunk of begun) yield textOf(chunk)
    for await (const chunk of rest) yield textOf(chunk)
    yield closing(count)
  } finally {
    await rest.return(undefined)
  }
}
