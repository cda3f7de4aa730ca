import { useEffect, useRef } from 'preact/hooks'
import { useFilters } from './use-filters'

interface TabsOf<Value extends string> {
  tabs: readonly (readonly [value: Value, words: string])[]
  value: Value
  choose(value: Value): void
}

/** One of a few views of a page, which the URL keeps as `name`; `usual` without it. */
export function useTabs<const Value extends string>(
  name: string,
  tabs: TabsOf<Value>['tabs'],
  usual = '' as Value,
): TabsOf<Value> {
  const { values, set } = useFilters([name])
  const [value] = tabs.find(([each]) => each === values[name]) ?? [usual]
  return { tabs, value, choose: (next) => set(name, next === usual ? '' : next) }
}

/** The buttons that choose among `useTabs`. */
export function Tabs<Value extends string>({ label, of }: { label: string; of: TabsOf<Value> }) {
  const { tabs, value, choose } = of
  const list = useRef<HTMLFieldSetElement>(null)
  // On a narrow screen it may be off the edge.
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-pressed=true]')
    if (list.current && chosen) list.current.scrollLeft = chosen.offsetLeft - list.current.offsetLeft - 40
  }, [value])
  return (
    <fieldset ref={list} class="tabs" aria-label={label}>
      {tabs.map(([each, words]) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => choose(each)}>
          {words}
        </button>
      ))}
    </fieldset>
  )
}
