import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useStore } from '../api/store'
import type { FilterValues } from '../format/filters'
import { dayStart, isPeriod, periodOf } from '../format/time'
import { useAppliedText } from './applied-text'
import { zoneStore } from './preferences'

interface Props<Name extends string> {
  of: { values: FilterValues<Name>; change(values: Partial<FilterValues<Name>>): void }
  /** The filters that keep the first and the last day. */
  from: Name
  to: Name
  label: string
}

const choices = [
  ['', 'Any time'],
  ['today', 'Today'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['custom', 'Custom…'],
] as const

/** Days of a list: up to today by a word, or from one ISO day to another. */
export function PeriodFilter<Name extends string>({ of, from, to, label }: Props<Name>) {
  const id = useId()
  const [first, last] = [of.values[from], of.values[to]]
  const [isCustom, setCustom] = useState(false)
  const given = (first !== '' && !isPeriod(first)) || last !== ''
  const chosen = isCustom || given ? 'custom' : first
  const applied = useRef([first, last])
  const change = (...days: [first: string, last: string]) => {
    applied.current = days
    of.change({ [from]: days[0], [to]: days[1] } as Partial<FilterValues<Name>>)
  }
  const choose = (value: string) => {
    setCustom(value === 'custom')
    change(value === 'custom' ? '' : value, '')
  }
  // What comes from elsewhere, such as from Clear, takes the fields of other days with it.
  useLayoutEffect(() => {
    if (applied.current[0] !== first || applied.current[1] !== last) setCustom(false)
    applied.current = [first, last]
  }, [first, last])
  return (
    <div class={first || last ? 'filter filter-period is-set' : 'filter filter-period'}>
      <label for={id} class="visually-hidden">
        {label}
      </label>
      <span class="filter-days">
        <select id={id} value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
          {choices.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        {chosen === 'custom' ? (
          <>
            <DayField label={`${label}: first day`} value={first} set={(day) => change(day, last)} />
            <span aria-hidden="true">to</span>
            <DayField label={`${label}: last day`} value={last} set={(day) => change(first, day)} />
          </>
        ) : null}
      </span>
    </div>
  )
}

/** A day as `2026-11-23`; applied once it is one. */
function DayField({ label, value, set }: { label: string; value: string; set(day: string): void }) {
  const { text, setText, apply } = useAppliedText(value, set)
  const isDay = text === '' || dayStart(text, 'utc') !== undefined
  return (
    <input
      class="day"
      aria-label={label}
      aria-invalid={!isDay}
      placeholder="2026-01-31"
      inputMode="numeric"
      maxLength={10}
      autoComplete="off"
      value={text}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value)
        if (currentTarget.value === '' || dayStart(currentTarget.value, 'utc')) apply(currentTarget.value)
      }}
    />
  )
}

/** The days of a filter in the shown zone, for services whose times are inclusive. */
export const usePeriod = (days: { from: string; to: string }) => periodOf(days, useStore(zoneStore))
