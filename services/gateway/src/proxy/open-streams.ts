import { whenOver } from './when-over'

/** An answer that lasts as long as its reader stays. */
interface OpenStream {
  /** Whether its reader may still read it. */
  holds(): Promise<boolean>
  stop(): void
}

/** The open streams, which end with the credentials that opened them. */
interface OpenStreams {
  /** Registers a stream, and returns a function that removes it. */
  add(stream: OpenStream): () => void
  /** Wraps the answer, which is aborted once its reader may not read it any more. */
  watch(holds: OpenStream['holds'], answer: Response): Response
  /** Aborts the streams whose readers may not read them any more. */
  endThoseOfEnded(): Promise<void>
}

export function createOpenStreams(): OpenStreams {
  const open = new Set<OpenStream>()
  const streams: OpenStreams = {
    add(stream) {
      open.add(stream)
      return () => void open.delete(stream)
    },
    watch(holds, answer) {
      if (answer.body === null) return answer
      const stopped = new AbortController()
      const forget = streams.add({ holds, stop: () => stopped.abort() })
      return whenOver(answer, forget, stopped.signal)
    },
    async endThoseOfEnded() {
      await Promise.all([...open].map(endIfEnded))
    },
  }

  async function endIfEnded(stream: OpenStream): Promise<void> {
    if (await stream.holds()) return
    open.delete(stream)
    stream.stop()
  }

  return streams
}
