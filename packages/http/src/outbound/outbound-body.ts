import { OutboundError } from './outbound-error'

/** An answer's body as text. Counts while it arrives (unpacked) and breaks off with `too-large` above `maxBytes`. */
export async function readText(response: Response, host: string, maxBytes: number): Promise<string> {
  const tooLarge = () => new OutboundError('too-large', `${host} answered more than ${maxBytes} bytes`)
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel()
    throw tooLarge()
  }
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel()
      throw tooLarge()
    }
    text += decoder.decode(value, { stream: true })
  }
  return text + decoder.decode()
}
