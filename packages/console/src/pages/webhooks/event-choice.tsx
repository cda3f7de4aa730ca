import { useState } from 'preact/hooks'
import { toWords } from '../../format/words'
import { Problem, useChecked } from '../../ui/field'
import { Loaded } from '../../ui/states'
import { eventFields, groupsOf } from './chosen-events'
import { type EventType, useEventTypes } from './webhook-queries'

/** Which events an endpoint takes: all of them, or chosen ones of the catalogue. Read it with `eventTypesIn`. */
export function EventChoice({ chosen = [] }: { chosen?: readonly string[] }) {
  const [isSome, setSome] = useState(chosen.length > 0)
  const types = useEventTypes()
  return (
    <fieldset class="field-group">
      <legend>Events</legend>
      <div class="check-row">
        {(['all', 'some'] as const).map((which) => (
          <label key={which}>
            <input
              type="radio"
              name={eventFields.which}
              value={which}
              checked={isSome === (which === 'some')}
              onChange={() => setSome(which === 'some')}
            />
            {which === 'all' ? 'All, also types that are added later' : 'Only these'}
          </label>
        ))}
      </div>
      {isSome ? <Loaded of={types}>{(known) => <Types known={known} chosen={chosen} />}</Loaded> : null}
    </fieldset>
  )
}

function Types({ known, chosen }: { known: readonly EventType[]; chosen: readonly string[] }) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set(chosen))
  const { id, problem, control } = useChecked()
  const toggle = (type: string) => {
    control.onInput()
    const next = new Set(taken)
    if (!next.delete(type)) next.add(type)
    setTaken(next)
  }
  const patterns = chosen
    .filter((pattern) => !known.some(({ type }) => type === pattern))
    .map((type) => ({ type, description: 'Every type that begins so' }))
  const groups: [string, Pick<EventType, 'type' | 'description'>[]][] = groupsOf(known)
  if (patterns.length > 0) groups.push(['patterns', patterns])
  const first = groups[0]?.[1][0]?.type
  const list = (
    <div class="box event-types">
      {groups.map(([group, types]) => (
        <fieldset key={group} class="field-group options">
          <legend>{toWords(group)}</legend>
          {types.map(({ type, description }) => (
            <label key={type}>
              <input
                type="checkbox"
                name={eventFields.type}
                value={type}
                checked={taken.has(type)}
                onChange={() => toggle(type)}
                required={type === first && taken.size === 0}
                onInvalid={control.onInvalid}
                aria-describedby={type === first && problem ? `${id}-problem` : undefined}
              />
              <span>
                <code>{type}</code>
                <span class="hint">{description}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  )
  return (
    <div class="field">
      <Problem id={id}>{problem}</Problem>
      {list}
    </div>
  )
}
