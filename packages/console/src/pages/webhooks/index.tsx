import { useOrganisations } from '../../api/organisations'
import { dataOf, webhook } from '../../api/services'
import { useSession } from '../../api/session'
import { counted, toWords } from '../../format/words'
import { Act, type ActInput } from '../../ui/act'
import { Card } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { Choice, Field } from '../../ui/field'
import { Filters } from '../../ui/filters'
import { JsonView } from '../../ui/json-view'
import { Options } from '../../ui/options'
import { Page } from '../../ui/page'
import { ErrorNote, Loaded } from '../../ui/states'
import { Tabs, useTabs } from '../../ui/tabs'
import { type BoundFilters, useFilters } from '../../ui/use-filters'
import { eventTypesIn, groupsOf } from './chosen-events'
import { DeliveryTable } from './delivery-table'
import { DeliveryView } from './delivery-view'
import { EndpointTable } from './endpoint-table'
import { EndpointView } from './endpoint-view'
import { EventChoice } from './event-choice'
import { useMayChange } from './may-act'
import { SecretDialog } from './secret-dialog'
import { deliveryFilters, type Endpoint, readAgain, useEndpoints, useEventTypes } from './webhook-queries'

/** Webhook endpoints and their deliveries. */
export default function Webhooks() {
  const { values } = useFilters(['delivery', 'endpointId', 'tab'])
  if (values.delivery !== '') return <DeliveryView key={values.delivery} id={values.delivery} />
  if (values.endpointId !== '') return <EndpointView key={values.endpointId} id={values.endpointId} />
  return <Lists />
}

const tabs = [
  ['', 'Endpoints'],
  ['deliveries', 'Deliveries'],
  ['events', 'Events'],
] as const

function Lists() {
  const tab = useTabs('tab', tabs)
  const filters = useFilters(deliveryFilters)
  const mayRegister = useMayChange()
  return (
    <Page
      title="Webhooks"
      actions={
        <>
          <Tabs label="What is shown" of={tab} />
          {mayRegister && tab.value === '' ? (
            <DialogButton look="main" icon="plus" dialog={(close) => <RegisterEndpoint onClose={close} />}>
              Register an endpoint
            </DialogButton>
          ) : null}
        </>
      }
    >
      {tab.value === 'deliveries' ? (
        <>
          <DeliveryFilterBar of={filters} />
          <DeliveryTable filters={filters.values} onClear={filters.hasAny ? filters.clear : undefined} />
        </>
      ) : tab.value === 'events' ? (
        <EventCatalogue />
      ) : (
        <EndpointTable />
      )}
    </Page>
  )
}

const states = [
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
  ['pending_retry', 'Under way'],
] as const

/** The filters of all deliveries. */
function DeliveryFilterBar({ of }: { of: BoundFilters<(typeof deliveryFilters)[number]> }) {
  const types = useEventTypes().data ?? []
  return (
    <Filters
      label="Filter deliveries"
      of={of}
      fields={[
        { kind: 'text', name: 'resourceId', label: 'About (id)', isWide: true },
        { kind: 'choice', name: 'status', label: 'State', options: states },
        { kind: 'choice', name: 'event', label: 'Event', options: types.map(({ type }) => [type, type] as const) },
        { kind: 'period', name: 'from', to: 'to', label: 'Days' },
      ]}
    />
  )
}

/** The most endpoints whose types are counted. */
const mostCounted = 100

/** Every type of event: when it happens, the form of its body, and how many endpoints take it. */
function EventCatalogue() {
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

/** Registers an endpoint for an institution's events, and shows its signing secret. */
function RegisterEndpoint({ onClose }: { onClose(): void }) {
  const { participantId } = useSession().user
  const owners = useOrganisations('participant', participantId === null)
  return (
    <Act
      title="Register an endpoint"
      confirm="Register"
      act={(input) => register(input, participantId)}
      done="The endpoint is registered"
      onDone={readAgain}
      shows={({ url, secret }) => (
        <SecretDialog title="The endpoint’s secret" url={url} secret={secret} onClose={onClose}>
          <p class="hint">Every delivery is signed with it: the receiver can tell that it comes from here.</p>
        </SecretDialog>
      )}
      onClose={onClose}
    >
      <p>Events go to this URL as they happen. The secret that signs them is shown once, in the next window.</p>
      {owners.error ? <ErrorNote error={owners.error} /> : null}
      {participantId === null ? (
        <Choice label="Institution" name="participantId" required>
          <Options of={owners.data} />
        </Choice>
      ) : null}
      <Field label="URL" name="url" type="url" required maxLength={2048} placeholder="https://" />
      <EventChoice />
    </Act>
  )
}

const register = ({ form, text, headers }: ActInput, own: string | null) =>
  dataOf(
    webhook.POST('/webhooks/endpoints', {
      body: { participantId: own ?? text('participantId'), url: text('url'), eventTypes: eventTypesIn(form) },
      headers,
    }),
  )
