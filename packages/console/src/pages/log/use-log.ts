import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
import { useStore } from '../../api/store'
import { useStream } from '../../api/stream'
import { zoneStore } from '../../ui/preferences'
import { type LogFilters, type LogMessage, pageSize, queryOf, readPage, streamUrl } from './log-query'
import { mergeRows, mostRows } from './merge-rows'

/** The interval at which new messages are shown: a burst is rendered once. */
const showMs = 200

/** The state of the log page. */
export interface Log {
  rows: readonly LogMessage[] | undefined
  /** The number of new messages that are held back. */
  waiting: number
  /** The total number at the last read. */
  total: number | null
  error: ApiError | null
  state: ReturnType<typeof useStream>
  /** When the stream was lost, in milliseconds; null while it is connected. */
  lostAt: number | null
  /** More was missed than the stream keeps; the missing messages are in the log, but not on the page. */
  hasGap: boolean
  older: ReturnType<typeof useOlder>
  reload(): void
}

/** Reads the newest messages, follows the new ones, and holds these back while `isHeld`. */
export function useLog(filters: LogFilters, isHeld: boolean): Log {
  const zone = useStore(zoneStore)
  const query = queryOf(filters, zone)
  const url = streamUrl(filters)
  const key = JSON.stringify(query)
  const [rows, setRows] = useState<readonly LogMessage[] | undefined>(undefined)
  const [total, setTotal] = useState<number | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const [hasGap, setGap] = useState(false)
  const { waiting, take } = useWaiting(key, isHeld, (come) => setRows((known) => mergeRows(known ?? [], come)))
  const state = useStream(
    url,
    (data, _id, type) => {
      if (type === 'message') take(JSON.parse(data) as LogMessage)
      if (type === 'gap') setGap(true)
    },
    ['gap', 'end'],
  )
  const isPresent = usePresent(key)
  const older = useOlder(rows, query, key, (found) => setRows((known) => mergeRows(known ?? [], found)))

  async function read(signal?: AbortSignal) {
    try {
      const page = await readPage(query, { signal })
      if (!isPresent()) return
      setRows((known) => mergeRows(known ?? [], page.messages))
      setTotal(page.total)
      setError(null)
    } catch (cause) {
      if (isPresent() && !signal?.aborted) setError(asApiError(cause))
    }
  }
  useEffect(() => {
    const asking = new AbortController()
    setRows(undefined)
    setGap(false)
    void read(asking.signal)
    return () => asking.abort()
  }, [key])
  // Messages between the first read and the stream's opening, or during an outage, are on the newest page: whichever of the
  // two was later, the page is read again then.
  const isRead = rows !== undefined
  useEffect(() => {
    if (state === 'live' && isRead) void read()
  }, [state, isRead])

  return {
    rows,
    waiting,
    total,
    error,
    state,
    lostAt: useLostAt(state),
    hasGap,
    older,
    reload() {
      setRows(undefined)
      setGap(false)
      void read()
    },
  }
}

/** Collects new messages: shown at intervals, or when they are no longer held back. Those of other filters are dropped. */
function useWaiting(key: string, isHeld: boolean, show: (come: LogMessage[]) => void) {
  const come = useRef<LogMessage[]>([])
  const held = useRef(isHeld)
  const [waiting, setWaiting] = useState(0)
  held.current = isHeld
  useEffect(() => {
    const timer = setInterval(() => {
      if (held.current || come.current.length === 0) return setWaiting(come.current.length)
      show(come.current.splice(0))
      setWaiting(0)
    }, showMs)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    come.current = []
    setWaiting(0)
  }, [key])
  return {
    waiting,
    take(message: LogMessage) {
      come.current.push(message)
      if (come.current.length > mostRows) come.current.shift()
    },
  }
}

function useLostAt(state: ReturnType<typeof useStream>): number | null {
  const [lostAt, setLostAt] = useState<number | null>(null)
  useEffect(() => {
    if (state === 'waiting') setLostAt((known) => known ?? Date.now())
    if (state === 'live' || state === 'off') setLostAt(null)
  }, [state])
  return lostAt
}

/** Reads the messages before the oldest shown one. */
function useOlder(
  rows: readonly LogMessage[] | undefined,
  query: Record<string, string>,
  key: string,
  add: (found: LogMessage[]) => void,
) {
  const [isReading, setReading] = useState(false)
  const [isAtEnd, setAtEnd] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const page = useRef({ endDate: '', offset: 0 })
  const isPresent = usePresent(key)
  useEffect(() => {
    page.current = { endDate: '', offset: 0 }
    setAtEnd(false)
    setError(null)
  }, [key])

  async function read() {
    const oldest = rows?.at(-1)
    if (!oldest || isReading) return
    setReading(true)
    setError(null)
    // The oldest one's moment may have more messages than a page: then the next page continues it.
    const isSame = page.current.endDate === oldest.timestamp
    page.current = { endDate: oldest.timestamp, offset: isSame ? page.current.offset + 1 : 0 }
    try {
      const found = await readPage({ ...query, endDate: oldest.timestamp }, { offset: page.current.offset })
      if (isPresent()) {
        add(found.messages)
        setAtEnd(!found.hasMore)
      }
    } catch (cause) {
      if (isPresent()) {
        page.current = { endDate: '', offset: 0 }
        setError(asApiError(cause))
      }
    }
    setReading(false)
  }
  const count = rows?.length ?? 0
  return { read, isReading, error, hasMore: !isAtEnd && count >= pageSize && count < mostRows }
}

/** Whether these filters are still the present ones: an answer about earlier ones comes too late. */
function usePresent(key: string): () => boolean {
  const present = useRef(key)
  present.current = key
  return () => present.current === key
}
