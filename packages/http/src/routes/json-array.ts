import type { Log } from '@bursar/contracts/log'
import { textStream } from './text-stream'

/**
 * A list without pages as a JSON array, in constant memory. One that fits into a single chunk is returned as a value, so
 * that tests check its schema; a longer one as a stream whose next chunk is read when the client has received the last.
 * A disconnecting client ends the reading. If a chunk cannot be read the answer is aborted, so that nobody takes
 * it for whole.
 */
export async function jsonArray<T>(chunks: AsyncGenerator<T[]>, log: Log): Promise<T[]> {
  const begun = await firstTwo(chunks)
  if (begun.length < 2) return begun[0] ?? []
  return streamed(begun, chunks, { opening: '[', closing: () => ']' }, log) as T[]
}

/** The list in an object, with the number of its items: `{"<name>": […], "count": 2}`. */
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

/** Reads two chunks with items to find out whether there is more than one. */
async function firstTwo<T>(chunks: AsyncGenerator<T[]>): Promise<T[][]> {
  const begun: T[][] = []
  while (begun.length < 2) {
    const next = await chunks.next()
    if (next.done) break
    if (next.value.length > 0) begun.push(next.value)
  }
  return begun
}

/** The text before and after the items. */
interface Frame {
  opening: string
  closing: (count: number) => string
}

/** Elysia accepts a Response from any handler, although the handler's type does not allow it. */
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
    if (chunk.length === 0) return ''
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
