import type { ComponentChildren } from 'preact'

export interface Tab {
  value: string
  words: ComponentChildren
  /** The number of items. */
  count?: number | null
}

/** Chooses one of a few views of a page; kept in the URL by `useFilters(['tab'])`. */
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
