import { whenOver } from './when-over'

/** An answer that goes on as long as its reader stays. */
export interface OpenStream {
  /** Whether its reader may still read it. */
  holds(): Promise<boolean>
  stop(): void
}

/** The streams that are open: they end with the credentials that they were opened with. */
export interface OpenStreams {
  /** Notes one, and returns how to forget it. */
  add(stream: OpenStream): () => void
  /** The answer, which breaks off once it does not hold any more. */
  watch(holds: OpenStream['holds'], answer: Response): Response
  /** Breaks off those that do not hold any more. */
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
