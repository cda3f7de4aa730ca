import { useEffect, useRef } from 'preact/hooks'

interface Tab {
  value: string
  words: string
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
  const list = useRef<HTMLFieldSetElement>(null)
  // On a narrow screen it may be off the edge.
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-pressed=true]')
    if (list.current && chosen) list.current.scrollLeft = chosen.offsetLeft - list.current.offsetLeft - 40
  }, [value])
  return (
    <fieldset ref={list} class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <button key={tab.value} type="button" aria-pressed={tab.value === value} onClick={() => onChange(tab.value)}>
          {tab.words}
        </button>
      ))}
    </fieldset>
  )
}
