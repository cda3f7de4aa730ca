import { useEffect, useRef, useState } from 'preact/hooks'
import { reopenDelayMs, withLastEvent } from './stream-resume'

export type StreamState = 'connecting' | 'live' | 'waiting' | 'off'

interface Handlers {
  /** `type` is the event's name, `message` where it has none; `data` is what stands in it. */
  onEvent(data: string, id: string, type: string): void
  onState(state: StreamState): void
}

/**
 * Follows a stream of Server-Sent Events, and opens it again where it breaks off: after the last event that came, which
 * the browser says in Last-Event-ID, and a stream that had to be opened anew in `lastEventId`. Returns how to leave.
 */
export function openStream(url: string, types: readonly string[], { onEvent, onState }: Handlers): () => void {
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
      // The browser opens it again by itself, unless it was refused.
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

/** Follows a stream while the component is shown; null for none. Another URL begins anew. */
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
