import { readWithin } from '../request/read-within'
import { type BegunAnswer, OutboundError } from './outbound-error'

/**
 * An answer's body as text. Counts the uncompressed bytes as they arrive, and aborts with `too-large` above `maxBytes`.
 */
export async function readText(response: Response, host: string, maxBytes: number): Promise<string> {
  const tooLarge = () => new OutboundError('too-large', `${host} answered more than ${maxBytes} bytes`)
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel()
    throw tooLarge()
  }
  return new TextDecoder().decode(await readWithin(response.body, maxBytes, tooLarge))
}

/** An answer that was cut off; the cause says why. */
export class BrokenAnswer extends Error {
  constructor(
    readonly begun: BegunAnswer,
    cause: unknown,
  ) {
    super('The answer was broken off', { cause })
  }
}

/** The first `keepBytes` of an answer's body as text; does not wait for the rest. Throws BrokenAnswer. */
export async function readStart(response: Response, keepBytes: number): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  while (reader && bytes < keepBytes) {
    const { done, value } = await reader.read().catch((cause) => {
      throw new BrokenAnswer({ status: response.status, text }, cause)
    })
    if (done) return text + decoder.decode()
    text += decoder.decode(value.subarray(0, keepBytes - bytes), { stream: true })
    bytes += value.byteLength
  }
  // How the rest ends changes nothing; a broken connection must not become an unhandled rejection.
  await reader?.cancel().catch(() => {})
  return text
}
