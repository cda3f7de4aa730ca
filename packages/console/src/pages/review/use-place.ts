import { useEffect, useRef, useState } from 'preact/hooks'

interface Row {
  id: string
}

/**
 * The chosen row: at first `initial`, or the first row. When it leaves the list the row that takes its place is
 * chosen, and `onGone` is called with its id.
 */
export function usePlace(rows: readonly Row[] | undefined, initial: string | null, onGone: (id: string) => void) {
  const [id, setId] = useState(initial)
  const place = useRef(0)
  const isSeen = useRef(false)
  const index = rows?.findIndex((row) => row.id === id) ?? -1
  useEffect(() => {
    if (!rows) return
    if (index >= 0) {
      place.current = index
      isSeen.current = true
      return
    }
    if (id !== null && isSeen.current) onGone(id)
    setId(rows[Math.min(place.current, rows.length - 1)]?.id ?? null)
  }, [rows, index, id])
  return [id, setId] as const
}
