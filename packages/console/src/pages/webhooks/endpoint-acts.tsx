import { useLocation } from 'preact-iso/router'
import { dataOf, webhook } from '../../api/services'
import { counted } from '../../format/words'
import { Act } from '../../ui/act'
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

const sent = (id: string, idempotencyKey: string) => ({
  params: { path: { id } },
  headers: { 'idempotency-key': idempotencyKey },
})

/** The dialog of an act on an endpoint. */
export function EndpointActDialog({ act, ...props }: Props & { act: EndpointAct }) {
  if (act === 'recover') return <RecoverAct {...props} />
  if (act === 'test') return <TestAct {...props} />
  if (act === 'rotate') return <RotateAct {...props} />
  if (act === 'change') return <ChangeAct {...props} />
  if (act === 'delete') return <DeleteAct {...props} />
  return <EnableAct {...props} />
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
      act={({ form, idempotencyKey }) => {
        const since = new Date(Date.now() - Number(form.get('hours')) * hourMs).toISOString()
        return dataOf(
          webhook.POST('/webhooks/endpoints/{id}/recover', { ...sent(id, idempotencyKey), body: { since } }),
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

function TestAct({ endpoint: { id, url }, onClose }: Props) {
  const { route } = useLocation()
  return (
    <Act
      title="Send a test event?"
      confirm="Send"
      act={({ idempotencyKey }) => dataOf(webhook.POST('/webhooks/endpoints/{id}/test', sent(id, idempotencyKey)))}
      done="The test event is on its way"
      onDone={({ deliveryId }) => {
        readAgain()
        route(`/console/webhooks?delivery=${deliveryId}`)
      }}
      onClose={onClose}
    >
      <p>
        An event of type <code>webhook.test</code> goes to {url}, signed as every other. You see what the receiver
        answers.
      </p>
    </Act>
  )
}

function RotateAct({ endpoint: { id, url }, onClose }: Props) {
  return (
    <Act
      title="Give this endpoint a new secret?"
      confirm="New secret"
      look="danger"
      act={({ idempotencyKey }) =>
        dataOf(webhook.POST('/webhooks/endpoints/{id}/rotate-secret', sent(id, idempotencyKey)))
      }
      done="The endpoint has a new secret"
      onDone={readAgain}
      shows={({ secret }) => (
        <SecretDialog title="The new secret" secret={secret} url={url} onClose={onClose}>
          <p class="hint">For 24 hours, deliveries are also signed with the previous secret.</p>
        </SecretDialog>
      )}
      onClose={onClose}
    >
      <p>Deliveries to {url} are signed with the new secret at once, and with the one before as well for 24 hours.</p>
    </Act>
  )
}

function EnableAct({ endpoint: { id, url }, onClose }: Props) {
  return (
    <Act
      title="Send to this endpoint again?"
      confirm="Enable"
      act={({ idempotencyKey }) => dataOf(webhook.POST('/webhooks/endpoints/{id}/enable', sent(id, idempotencyKey)))}
      done="The endpoint is enabled"
      onDone={readAgain}
      onClose={onClose}
    >
      <p>New deliveries go to {url} at once. What failed meanwhile is not sent by this: recover it afterwards.</p>
    </Act>
  )
}

function ChangeAct({ endpoint: { id, url, eventTypes }, onClose }: Props) {
  return (
    <Act
      title="Change this endpoint"
      confirm="Change"
      act={({ form }) =>
        dataOf(
          webhook.PUT('/webhooks/endpoints/{id}', {
            params: { path: { id } },
            body: { url: String(form.get('url')).trim(), eventTypes: eventTypesIn(form) },
          }),
        )
      }
      done="The endpoint is changed"
      onDone={readAgain}
      onClose={onClose}
    >
      <p>What waits for it goes to the new URL. Its secret stays.</p>
      <Field label="URL" name="url" type="url" required maxLength={2048} defaultValue={url} autoComplete="off" />
      <EventChoice chosen={eventTypes} />
    </Act>
  )
}

function DeleteAct({ endpoint: { id, url }, onClose }: Props) {
  const { route } = useLocation()
  return (
    <Act
      title="Delete this endpoint?"
      confirm="Delete"
      look="danger"
      act={() => dataOf(webhook.DELETE('/webhooks/endpoints/{id}', { params: { path: { id } } }))}
      done="The endpoint is deleted"
      onDone={() => {
        route('/console/webhooks', true)
        readAgain()
      }}
      onClose={onClose}
    >
      <p>Nothing is sent to {url} any more, and what waits for it fails. Its secret is void.</p>
    </Act>
  )
}
