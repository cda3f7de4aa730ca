import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { dataOf, webhook } from '../../api/services'
import { counted } from '../../format/words'
import { Act, type ActInput } from '../../ui/act'
import { Choice, Field } from '../../ui/field'
import { eventTypesIn } from './chosen-events'
import { EventChoice } from './event-choice'
import { SecretDialog } from './secret-dialog'
import { type Endpoint, readAgain } from './webhook-queries'

export type EndpointAct = 'recover' | 'test' | 'rotate' | 'enable' | 'change' | 'delete'

interface Props {
  endpoint: Endpoint
  onClose(): void
}

/** The dialog of an act on an endpoint. */
export function EndpointActDialog({ act, ...props }: Props & { act: EndpointAct }) {
  const { route } = useLocation()
  if (act === 'recover') return <RecoverAct {...props} />
  if (act === 'change') return <ChangeAct {...props} />
  const { endpoint, onClose } = props
  const { send, shows, what, goesTo, ...words } = plain[act]
  return (
    <Act<Answer>
      {...words}
      act={({ headers }) => send({ params: { path: { id: endpoint.id } }, headers })}
      onDone={({ deliveryId }) => {
        if (goesTo) route(goesTo(deliveryId), act === 'delete')
        readAgain()
      }}
      {...(shows ? { shows: (answer: Answer) => shows(answer, props) } : {})}
      onClose={onClose}
    >
      <p>{what(endpoint.url)}</p>
    </Act>
  )
}

/** What some of the acts answer. */
interface Answer {
  deliveryId?: string
  secret?: string
}
type Sent = { params: { path: { id: string } }; headers: ActInput['headers'] }

interface Plain {
  title: string
  confirm: string
  look?: 'danger'
  done: string
  what(url: string): string
  send(sent: Sent): Promise<Answer>
  shows?(answer: Answer, props: Props): ComponentChildren
  /** The page to go to. */
  goesTo?(deliveryId?: string): string
}

/** Acts without fields. */
const plain: Record<Exclude<EndpointAct, 'recover' | 'change'>, Plain> = {
  test: {
    title: 'Send a test event?',
    confirm: 'Send',
    done: 'The test event is on its way',
    what: (url) =>
      `An event of type webhook.test goes to ${url}, signed as every other. You see what the receiver answers.`,
    send: (sent) => dataOf(webhook.POST('/webhooks/endpoints/{id}/test', sent)),
    goesTo: (deliveryId) => `/console/webhooks?delivery=${deliveryId}`,
  },
  rotate: {
    title: 'Give this endpoint a new secret?',
    confirm: 'New secret',
    look: 'danger',
    done: 'The endpoint has a new secret',
    what: (url) =>
      `Deliveries to ${url} are signed with the new secret at once, and with the one before as well for 24 hours.`,
    send: (sent) => dataOf(webhook.POST('/webhooks/endpoints/{id}/rotate-secret', sent)),
    shows: ({ secret = '' }, { endpoint: { url }, onClose }) => (
      <SecretDialog title="The new secret" secret={secret} url={url} onClose={onClose}>
        <p class="hint">For 24 hours, deliveries are also signed with the previous secret.</p>
      </SecretDialog>
    ),
  },
  enable: {
    title: 'Send to this endpoint again?',
    confirm: 'Enable',
    done: 'The endpoint is enabled',
    what: (url) =>
      `New deliveries go to ${url} at once. What failed meanwhile is not sent by this: recover it afterwards.`,
    send: (sent) => webhook.POST('/webhooks/endpoints/{id}/enable', sent).then(() => ({})),
  },
  delete: {
    title: 'Delete this endpoint?',
    confirm: 'Delete',
    look: 'danger',
    done: 'The endpoint is deleted',
    what: (url) => `Nothing is sent to ${url} any more, and what waits for it fails. Its secret is void.`,
    send: (sent) => webhook.DELETE('/webhooks/endpoints/{id}', sent).then(() => ({})),
    goesTo: () => '/console/webhooks',
  },
}

const spans = [
  ['1', 'the last hour'],
  ['24', 'the last 24 hours'],
  ['168', 'the last 7 days'],
  ['720', 'the last 30 days'],
] as const
const hourMs = 3_600_000

function RecoverAct({ endpoint: { id, url }, onClose }: Props) {
  return (
    <Act
      title="Send failed deliveries again?"
      confirm="Recover"
      act={({ text, headers }) => {
        const since = new Date(Date.now() - Number(text('hours')) * hourMs).toISOString()
        return dataOf(
          webhook.POST('/webhooks/endpoints/{id}/recover', { params: { path: { id } }, headers, body: { since } }),
        )
      }}
      done={({ count, more }) =>
        count === 0
          ? 'Nothing failed in that time'
          : `${counted(count, 'delivery', 'deliveries')} sent again${more ? '; some are left: repeat this' : ''}`
      }
      onDone={readAgain}
      onClose={onClose}
    >
      <p>
        Every delivery to {url} that failed in this time is sent again, the oldest first. What is under way is left
        alone.
      </p>
      <Choice label="Deliveries that failed in" name="hours">
        {spans.map(([hours, words]) => (
          <option key={hours} value={hours} selected={hours === '24'}>
            {words}
          </option>
        ))}
      </Choice>
    </Act>
  )
}

function ChangeAct({ endpoint: { id, url, eventTypes }, onClose }: Props) {
  return (
    <Act
      title="Change this endpoint"
      confirm="Change"
      act={({ form, text }) => {
        const body = { url: text('url'), eventTypes: eventTypesIn(form) }
        return webhook.PUT('/webhooks/endpoints/{id}', { params: { path: { id } }, body })
      }}
      done="The endpoint is changed"
      onDone={readAgain}
      onClose={onClose}
    >
      <p>What waits for it goes to the new URL. Its secret stays.</p>
      <Field label="URL" name="url" type="url" required maxLength={2048} defaultValue={url} />
      <EventChoice chosen={eventTypes} />
    </Act>
  )
}
