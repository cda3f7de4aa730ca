import { useEffect, useRef, useState } from 'preact/hooks'
import type { Selecting } from '../../ui/data-table'
import { kindWord } from '../transactions/kind'
import type { ReviewItem } from './review-query'

/** The transactions that are chosen for one decision; those that leave the list are no longer chosen. */
export function useChosen(rows: readonly ReviewItem[] | undefined) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  /** Selects all of them, or none if all are selected. */
  const toggle = (items: readonly ReviewItem[]) => {
    const isAll = items.every(({ id }) => ids.has(id))
    const next = new Set(ids)
    for (const { id } of items) isAll ? next.delete(id) : next.add(id)
    setIds(next)
  }
  const selecting: Selecting<ReviewItem> = {
    isSelected: ({ id }) => ids.has(id),
    toggle: (item) => toggle([item]),
    nameOf: ({ type, amount, asset }) => `${kindWord(type)} of ${amount} ${asset.code}`,
  }
  return {
    chosen: (rows ?? []).filter(({ id }) => ids.has(id)),
    selecting,
    toggle,
    clear: () => setIds(new Set()),
    drop: (gone: readonly string[]) => setIds(new Set([...ids].filter((id) => !gone.includes(id)))),
  }
}

interface Row {
  id: string
}

/**
 * The chosen row: at first `initial`, or the first row. When it leaves the list the row that takes its place is
 * chosen, and `onGone` is called with its id.
 */
export function useSelection(rows: readonly Row[] | undefined, initial: string | null, onGone: (id: string) => void) {
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
