import type { LogMessage, MessageFilter } from '../log-messages/log-messages.model'

/** Someone who follows the stream. */
export interface Reader {
  filter: MessageFilter
  /** Hands over a message as JSON text. */
  send(message: { id: string; json: string }): void
  /** There will be no more. */
  end(): void
}

/** Passes new log messages on to those who want them as they come. */
export interface LiveStream {
  /** Returns how to leave; null when the stream has ended or has as many readers as it takes. */
  join(reader: Reader): (() => void) | null
  send(message: LogMessage): void
  isOpen(): boolean
  readers(): number
  /** Ends it for all readers, and for those who come later. */
  end(): void
}

/** Each reader may hold up to a megabyte that it has not yet taken. */
const mostReaders = 500

export function createLiveStream(): LiveStream {
  const readers = new Set<Reader>()
  let isOpen = true
  return {
    join(reader) {
      if (!isOpen || readers.size >= mostReaders) return null
      readers.add(reader)
      return () => void readers.delete(reader)
    },
    send(message) {
      const wanted = [...readers].filter(({ filter }) => fits(message, filter))
      if (wanted.length === 0) return
      const sent = { id: message.id, json: JSON.stringify(message) }
      for (const reader of wanted) reader.send(sent)
    },
    isOpen: () => isOpen,
    readers: () => readers.size,
    end() {
      isOpen = false
      for (const reader of [...readers]) reader.end()
      readers.clear()
    },
  }
}

const fits = (message: LogMessage, { service, type, status, requestId }: MessageFilter): boolean =>
  (service === undefined || message.service === service) &&
  (type === undefined || message.event_type === type) &&
  (status === undefined || message.status === status) &&
  (requestId === undefined || message.request_id === requestId)
