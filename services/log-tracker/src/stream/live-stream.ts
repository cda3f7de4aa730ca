import type { LogMessage, MessageFilter } from '../log-messages/log-messages.model'
import { transactionOf } from '../log-messages/record-log-message'

/** A message as JSON text. */
export interface SentMessage {
  id: string
  json: string
}

/** A reader of the stream. */
export interface Reader {
  /** The address that it reads from; readers without a known one count together. */
  address: string | null
  filter: MessageFilter
  send(message: SentMessage): void
  /** No message follows. */
  end(): void
}

/** Why a reader cannot join: the stream has ended or is full, or its address has as many readers as it may. */
export type JoinRefusal = 'full' | 'too many of the address'

/** Passes new log messages on to their readers. */
export interface LiveStream {
  /** Returns how to leave, or why it cannot join. */
  join(reader: Reader): (() => void) | JoinRefusal
  send(message: LogMessage): void
  isOpen(): boolean
  readers(): number
  /** How many readers an address may have. */
  readonly mostPerAddress: number
  /** Ends it for all readers, and refuses later ones. */
  end(): void
}

/** Each reader may hold up to a megabyte that it has not yet taken. */
const mostReaders = 500

export function createLiveStream({ mostPerAddress }: { mostPerAddress: number }): LiveStream {
  const readers = new Set<Reader>()
  let isOpen = true
  return {
    mostPerAddress,
    join(reader) {
      if (!isOpen || readers.size >= mostReaders) return 'full'
      const ofAddress = [...readers].filter(({ address }) => address === reader.address)
      if (ofAddress.length >= mostPerAddress) return 'too many of the address'
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

const fits = (
  message: LogMessage,
  { service, type, status, excludeTypes, requestId, transactionId }: MessageFilter,
): boolean =>
  (service === undefined || message.service === service) &&
  (type === undefined || message.event_type === type) &&
  (status === undefined || message.status === status) &&
  !excludeTypes?.includes(message.event_type) &&
  (transactionId === undefined || transactionOf(message.metadata) === transactionId) &&
  (requestId === undefined || message.request_id === requestId)
