import type { CurrentSessions } from './current-session'

/** The streams that sessions have open: they end with their session. */
export interface ConsoleStreams {
  /** The answer, which breaks off once its session has ended. */
  watch(sessionId: string, answer: Response): Response
  /** Breaks off the streams of sessions that have ended. */
  endThoseOfEnded(): Promise<void>
}

export function createStreams(sessions: Pick<CurrentSessions, 'goesOn'>): ConsoleStreams {
  const open = new Map<string, Set<AbortController>>()
  return {
    watch(id, answer) {
      const { body, status, headers } = answer
      if (body === null) return answer
      const stop = new AbortController()
      const ofSession = open.get(id) ?? new Set()
      open.set(id, ofSession.add(stop))
      const forget = () => {
        ofSession.delete(stop)
        if (ofSession.size === 0 && open.get(id) === ofSession) open.delete(id)
      }
      return new Response(until(body, stop.signal, forget), { status, headers })
    },
    async endThoseOfEnded() {
      for (const [id, stops] of [...open]) {
        if (await sessions.goesOn(id)) continue
        for (const stop of stops) stop.abort()
      }
    },
  }
}

/** What is read of a stream until it ends or is stopped. `over` is called when nobody reads it any more. */
function until(body: ReadableStream<Uint8Array>, stopped: AbortSignal, over: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  // What breaks it off is reported where it is read.
  reader.closed.catch(() => {})
  stopped.addEventListener('abort', () => void reader.cancel().catch(() => {}))
  return new ReadableStream({
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
}
