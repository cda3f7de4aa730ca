import type { LogMessage, MessageFilter } from '../log-messages/log-messages.model'
import { transactionOf } from '../log-messages/record-log-messages'

/** A message as JSON text. */
export interface SentMessage {
  id: string
  json: string
}

/** A reader of the stream. */
export interface Reader {
  /** The reader's address; readers without a known one are counted together. */
  address: string | null
  filter: MessageFilter
  send(message: SentMessage): void
  /** Called once after the last message. */
  end(reason: string): void
}

/** Why a reader cannot join: the stream has ended or is full, or its address has too many readers. */
export type JoinRefusal = 'full' | 'too many of the address'

/** Passes new log messages to the readers. */
export interface LiveStream {
  /** Returns a function that leaves, or the reason why the reader cannot join. */
  join(reader: Reader): (() => void) | JoinRefusal
  send(message: LogMessage): void
  isOpen(): boolean
  readers(): number
  /** The maximum number of readers per address. */
  readonly mostPerAddress: number
  /** Ends it for all readers, who may join again: messages of other instances may be missing. */
  interrupt(): void
  /** Ends it for all readers, and refuses later ones. */
  end(): void
}

/** Each reader may have up to a megabyte of unread data. */
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
    interrupt: () => endAll('Messages may be missing here: go on with Last-Event-ID'),
    end() {
      isOpen = false
      endAll('The service is stopping')
    },
  }

  function endAll(reason: string) {
    for (const reader of [...readers]) reader.end(reason)
    readers.clear()
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
