import { useEffect, useId, useState } from 'preact/hooks'
import { toWords } from '../format/words'
import { useAppliedText } from './applied-text'
import { Button } from './button'
import { type Option, Options } from './options'
import { PeriodFilter } from './period-filter'
import type { BoundFilters } from './use-filters'

export type FilterField<Name extends string> = { name: Name; label: string } & (
  | { kind: 'choice'; options: readonly (string | Option)[] }
  /** `isOnlySet`: it is shown while it has a value, with which other pages link here. */
  | { kind: 'text'; isWide?: boolean; isOnlySet?: boolean }
  /** The days of a list, which the URL keeps as `name` and `to`. */
  | { kind: 'period'; to: Name }
)

/** The filters' fields in a row; `label` is their name: `Filter transactions`. */
export function Filters<Name extends string>({
  label,
  of,
  fields: all,
}: {
  label: string
  of: BoundFilters<Name>
  fields: readonly FilterField<Name>[]
}) {
  const [isOpen, setOpen] = useState(false)
  const isSet = ({ name }: { name: Name }) => of.values[name] !== ''
  const fields = all.filter((field) => isSet(field) || !(field.kind === 'text' && field.isOnlySet))
  const set = fields.filter(isSet).length
  return (
    <search class={isOpen ? 'filters is-open' : 'filters'} aria-label={label}>
      {fields.map((field) =>
        field.kind === 'period' ? (
          <PeriodFilter key={field.name} of={of} from={field.name} to={field.to} label={field.label} />
        ) : (
          <Field
            key={field.name}
            field={field}
            value={of.values[field.name]}
            set={(value) => of.set(field.name, value)}
          />
        ),
      )}
      {/* Only on narrow screens, where the fields would push the list off the screen. */}
      <Button class="filters-more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {set > 0 ? `Filters (${set})` : 'Filters'}
      </Button>
      {of.hasAny ? (
        <Button look="quiet" icon="cross" onClick={of.clear}>
          Clear
        </Button>
      ) : null}
    </search>
  )
}

interface FieldProps<Name extends string> {
  field: Exclude<FilterField<Name>, { kind: 'period' }>
  value: string
  set(value: string): void
}

function Field<Name extends string>({ field, value, set }: FieldProps<Name>) {
  const id = useId()
  const isTextSet = field.kind === 'text' && !field.isWide && value !== ''
  return (
    <div class={`filter${value ? ' is-set' : ''}${field.kind === 'text' && field.isWide ? ' is-wide' : ''}`}>
      {/* A choice tells its name until it is made, and a text while it is empty. */}
      <label for={id} class={isTextSet ? 'filter-label' : 'visually-hidden'}>
        {field.label}
      </label>
      {field.kind === 'choice' ? (
        <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>
          <option value="">{field.label}</option>
          <Options of={field.options.map((each) => (typeof each === 'string' ? [each, toWords(each)] : each))} />
        </select>
      ) : (
        <TextFilter id={id} label={field.label} value={value} set={set} />
      )}
    </div>
  )
}

const typingPauseMs = 300

/** Applies the text when the typing pauses, not at every letter. */
function TextFilter({ id, label, value, set }: { id: string; label: string; value: string; set(value: string): void }) {
  const { text, setText, apply } = useAppliedText(value, set)
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => apply(text.trim()), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      id={id}
      type="search"
      placeholder={label}
      autoComplete="off"
      spellcheck={false}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => (event.key === 'Enter' ? apply(text.trim()) : undefined)}
    />
  )
}
