import { whenOver } from './when-over'

/** An answer that lasts as long as its reader stays. */
interface OpenStream {
  /** Whether its reader may still read it. */
  holds(): Promise<boolean>
  stop(): void
}

/** The open streams, which end with the credentials that opened them. */
export function createOpenStreams() {
  const open = new Set<OpenStream>()
  /** Registers a stream, and returns a function that removes it. */
  function add(stream: OpenStream): () => void {
    open.add(stream)
    return () => void open.delete(stream)
  }
  async function endIfEnded(stream: OpenStream): Promise<void> {
    if (await stream.holds()) return
    open.delete(stream)
    stream.stop()
  }
  return {
    add,
    /** Wraps the answer, which is aborted once its reader may not read it any more. */
    watch(holds: OpenStream['holds'], answer: Response): Response {
      if (answer.body === null) return answer
      const stopped = new AbortController()
      return whenOver(answer, add({ holds, stop: () => stopped.abort() }), stopped.signal)
    },
    /** Aborts the streams whose readers may not read them any more. */
    async endThoseOfEnded(): Promise<void> {
      await Promise.all([...open].map(endIfEnded))
    },
  }
}
