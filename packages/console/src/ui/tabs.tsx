import type { ComponentChildren } from 'preact'

export interface Tab {
  value: string
  words: ComponentChildren
  /** How many there are. */
  count?: number | null
}

/** One choice of a few, each a view of the same page; with the URL: `useFilters(['tab'])`. */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string
  tabs: readonly Tab[]
  value: string
  onChange(value: string): void
}) {
  return (
    <fieldset class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <button key={tab.value} type="button" aria-pressed={tab.value === value} onClick={() => onChange(tab.value)}>
          {tab.words}
          {tab.count === undefined || tab.count === null ? null : <span class="tab-count">{tab.count}</span>}
        </button>
      ))}
    </fieldset>
  )
}
