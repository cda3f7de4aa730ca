import { useOrganisations } from '../../api/organisations'
import { dataOf, webhook } from '../../api/services'
import { useSession } from '../../api/session'
import { Act, type ActInput } from '../../ui/act'
import { Choice, Field } from '../../ui/field'
import { Options } from '../../ui/options'
import { ErrorNote } from '../../ui/states'
import { eventTypesIn } from './chosen-events'
import { EventChoice } from './event-choice'
import { SecretDialog } from './secret-dialog'
import { readAgain } from './webhook-queries'

/** Registers an endpoint for an institution's events, and shows its signing secret. */
export function RegisterEndpoint({ onClose }: { onClose(): void }) {
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
