import { whenOver } from '../../proxy/when-over'
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
      if (answer.body === null) return answer
      const stop = new AbortController()
      const ofSession = open.get(id) ?? new Set()
      open.set(id, ofSession.add(stop))
      const forget = () => {
        ofSession.delete(stop)
        if (ofSession.size === 0 && open.get(id) === ofSession) open.delete(id)
      }
      return whenOver(answer, forget, stop.signal)
    },
    async endThoseOfEnded() {
      for (const [id, stops] of [...open]) {
        if (await sessions.goesOn(id)) continue
        for (const stop of stops) stop.abort()
      }
    },
  }
}
