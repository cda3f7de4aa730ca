import { useRef, useState } from 'preact/hooks'
import { useOrganisations } from '../../api/organisations'
import { dataOf, webhook } from '../../api/services'
import { useSession } from '../../api/session'
import { Act, type ActInput } from '../../ui/act'
import { Choice, Field } from '../../ui/field'
import { ErrorNote } from '../../ui/states'
import { eventTypesIn } from './chosen-events'
import { EventChoice } from './event-choice'
import { SecretDialog } from './secret-dialog'
import { readAgain } from './webhook-queries'

/** Registers an endpoint for an institution's events, and shows its signing secret. */
export function RegisterEndpoint({ onClose }: { onClose(): void }) {
  const { participantId } = useSession().user
  const owners = useOrganisations('participant', participantId === null)
  const [made, setMade] = useState<{ url: string; secret: string } | null>(null)
  const isDone = useRef(false)
  if (made) {
    return (
      <SecretDialog title="The endpoint’s secret" {...made} onClose={onClose}>
        <p class="hint">Every delivery is signed with it: the receiver can tell that it comes from here.</p>
      </SecretDialog>
    )
  }
  return (
    <Act
      title="Register an endpoint"
      confirm="Register"
      act={(input) => register(input, participantId)}
      done="The endpoint is registered"
      onDone={(endpoint) => {
        readAgain()
        isDone.current = true
        setMade(endpoint)
      }}
      // The act's dialog closes when it is done: the secret has its own dialog.
      onClose={() => (isDone.current ? undefined : onClose())}
    >
      <p>Events go to this URL as they happen. The secret that signs them is shown once, in the next window.</p>
      {owners.error ? <ErrorNote error={owners.error} /> : null}
      {participantId === null ? (
        <Choice label="Institution" name="participantId" required>
          {owners.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      ) : null}
      <Field label="URL" name="url" type="url" required maxLength={2048} placeholder="https://" autoComplete="off" />
      <EventChoice />
    </Act>
  )
}

const register = ({ form, idempotencyKey }: ActInput, own: string | null) =>
  dataOf(
    webhook.POST('/webhooks/endpoints', {
      body: {
        participantId: own ?? String(form.get('participantId')),
        url: String(form.get('url')).trim(),
        eventTypes: eventTypesIn(form),
      },
      headers: { 'idempotency-key': idempotencyKey },
    }),
  )
