import { useState } from 'preact/hooks'
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
