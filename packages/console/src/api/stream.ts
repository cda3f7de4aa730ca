import { useEffect, useRef, useState } from 'preact/hooks'
import { reopenDelayMs, withLastEvent } from './stream-resume'

type StreamState = 'connecting' | 'live' | 'waiting' | 'off'

interface Handlers {
  /** `type` is the event's name, `message` if it has none; `data` is its content. */
  onEvent(data: string, id: string, type: string): void
  onState(state: StreamState): void
}

/**
 * Follows a stream of Server-Sent Events, and resumes it after the last event when it is lost: the
 * browser sends Last-Event-ID, and a newly opened stream `lastEventId`. Returns the function that closes it.
 */
function openStream(url: string, types: readonly string[], { onEvent, onState }: Handlers): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastId = ''
  let failures = 0

  function open() {
    onState('connecting')
    source = new EventSource(withLastEvent(url, lastId))
    source.onopen = () => {
      failures = 0
      onState('live')
    }
    const take = (event: MessageEvent<string>) => {
      lastId = event.lastEventId || lastId
      onEvent(event.data, event.lastEventId, event.type)
    }
    source.onmessage = take
    for (const type of types) source.addEventListener(type, take as EventListener)
    source.onerror = () => {
      onState('waiting')
      // The browser reopens it itself, unless it was refused.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, reopenDelayMs(failures++))
    }
  }
  open()
  return () => {
    clearTimeout(timer)
    source?.close()
    onState('off')
  }
}

/** Follows a stream while the component is shown; null for none. Another URL opens another stream. */
export function useStream(
  url: string | null,
  onEvent: Handlers['onEvent'],
  types: readonly string[] = [],
): StreamState {
  const [state, setState] = useState<StreamState>('off')
  const handler = useRef(onEvent)
  handler.current = onEvent
  useEffect(() => {
    if (url === null) return
    return openStream(url, types, { onEvent: (...event) => handler.current(...event), onState: setState })
  }, [url])
  return state
}
