import { counted, toWords } from '../../format/words'
import { Card } from '../../ui/card'
import { JsonView } from '../../ui/json-view'
import { Loaded } from '../../ui/states'
import { groupsOf } from './chosen-events'
import { type Endpoint, useEndpoints, useEventTypes } from './webhook-queries'

/** The most endpoints whose types are counted. */
const mostCounted = 100

/** Every type of event: when it happens, the form of its body, and how many endpoints take it. */
export function EventCatalogue() {
  const types = useEventTypes()
  const { rows: endpoints } = useEndpoints(mostCounted)
  return (
    <Loaded of={types} lines={8}>
      {(known) => (
        <div class="stack">
          {groupsOf(known).map(([group, of]) => (
            <Card key={group} title={toWords(group)}>
              <ul class="stack catalogue">
                {of.map(({ type, description, schema }) => (
                  <li key={type} class="rows">
                    <div class="ends">
                      <code>{type}</code>
                      <a href={`/console/webhooks?tab=deliveries&event=${encodeURIComponent(type)}`}>
                        Deliveries<span class="visually-hidden"> of {type}</span>
                      </a>
                    </div>
                    <p>{description}.</p>
                    {endpoints ? <p class="hint">{takersOf(endpoints, type)}</p> : null}
                    <JsonView title="Schema of its body" of={schema} />
                  </li>
                ))}
              </ul>
            </Card>
          ))}
        </div>
      )}
    </Loaded>
  )
}

function takersOf(endpoints: readonly Endpoint[], type: string): string {
  const takers = endpoints.filter(({ takes }) => takes.includes(type)).length
  return takers === 0 ? 'No endpoint takes it.' : counted(takers, 'endpoint takes it.', 'endpoints take it.')
}
