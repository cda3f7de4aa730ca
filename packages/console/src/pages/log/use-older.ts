import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
import { type LogMessage, pageSize, readPage } from './log-query'
import { mostRows } from './merge-rows'
import { usePresent } from './use-present'

/** Reads the messages before the oldest shown one. */
export function useOlder(
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
