/**
 * Wraps an answer to call `over` once its body was read completely or abandoned. It is aborted when it is
 * `stopped`.
 */
export function whenOver(response: Response, over: () => void, stopped?: AbortSignal): Response {
  const { body, status, headers } = response
  if (body === null) {
    over()
    return response
  }
  const reader = body.getReader()
  // An abort is reported to the reader.
  reader.closed.catch(() => {})
  stopped?.addEventListener('abort', () => {
    over()
    void reader.cancel().catch(() => {})
  })
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        over()
        controller.close()
      } catch (error) {
        over()
        controller.error(error)
      }
    },
    async cancel(reason) {
      over()
      await reader.cancel(reason)
    },
  })
  return new Response(watched, { status, headers })
}
