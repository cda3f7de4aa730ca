import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { counted } from '../format/words'
import { Button } from './button'
import type { Selecting } from './data-table'

/** The rows of a list that are selected for one act; those that leave the list are no longer selected. */
export function useSelected<Row extends { id: string }>(
  rows: readonly Row[] = [],
  of: Pick<Selecting<Row>, 'nameOf' | 'isSelectable'>,
) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  /** Selects all of them, or none if all are selected. */
  const toggle = (items: readonly Row[]) => {
    const isAll = items.every(({ id }) => ids.has(id))
    const next = new Set(ids)
    for (const { id } of items) isAll ? next.delete(id) : next.add(id)
    setIds(next)
  }
  return {
    selected: rows.filter((row) => ids.has(row.id) && of.isSelectable?.(row) !== false),
    selecting: { ...of, isSelected: ({ id }: Row) => ids.has(id), toggle: (row: Row) => toggle([row]) },
    toggle,
    clear: () => setIds(new Set()),
    drop: (gone: readonly string[]) => setIds(new Set([...ids].filter((id) => !gone.includes(id)))),
  }
}

interface BarProps {
  of: readonly unknown[]
  /** One of them: `payment`. */
  thing: string
  sums: ComponentChildren
  clear(): void
  /** What can be decided about all of them. */
  children: ComponentChildren
}

/** What is selected, its exact sums, and what can be done with all of it. */
export const SelectionBar = ({ of, thing, sums, clear, children }: BarProps) => (
  <section class="card selection" aria-label={`Selected ${thing}s`}>
    <strong>{counted(of.length, thing)} selected</strong>
    {sums}
    <div class="selection-acts">
      <Button isSmall look="quiet" icon="cross" onClick={clear}>
        Clear
      </Button>
      {children}
    </div>
  </section>
)
