import { useState } from 'preact/hooks'
import type { ApiError } from '../../api/api-error'
import { queries, useQuery } from '../../api/query'
import { dataOf, main } from '../../api/services'
import { useSession } from '../../api/session'
import { Act } from '../../ui/act'
import { Button } from '../../ui/button'
import { Card, Facts } from '../../ui/card'
import { Dialog } from '../../ui/dialog'
import { Choice, Field } from '../../ui/field'
import { Copy, Id } from '../../ui/id'
import { Loaded, Note } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'

/** The facts of the newest API key, never the key. Only its own administrators issue keys, which can move money. */
export function ApiKeyCard({ id, isOffboarded }: { id: string; isOffboarded: boolean }) {
  const [isIssuing, setIssuing] = useState(false)
  const [issued, setIssued] = useState<string | null>(null)
  const { user } = useSession()
  const isOwnAdmin = user.participantId === id && user.roles.includes('participant-admin')
  const key = useQuery({
    queryKey: ['api-key', id],
    queryFn: ({ signal }) =>
      dataOf(main.GET('/participants/{id}/api-key', { params: { path: { id } }, signal })).catch(noKey),
  })
  return (
    <Card
      title="API key"
      aside={
        isOwnAdmin && !isOffboarded ? (
          <Button isSmall icon="key" onClick={() => setIssuing(true)}>
            Issue a key
          </Button>
        ) : null
      }
    >
      <Loaded of={key} lines={2}>
        {(facts) =>
          facts ? (
            <Facts
              of={[
                ['Key', <code key="key">{facts.masked}</code>],
                [
                  'Status',
                  <Status key="status" value={facts.status} tone={facts.status === 'valid' ? 'good' : 'bad'} />,
                ],
                ['Issued', <Time key="issued" at={facts.createdAt} />],
                [facts.status === 'valid' ? 'Until' : 'Ended', <Time key="until" at={facts.validUntil} />],
                ['Id', <Id key="id" value={facts.id} />],
              ]}
            />
          ) : (
            <p class="hint">
              {isOwnAdmin
                ? 'There is none yet: issue one to call the API.'
                : 'Its administrators have issued none yet.'}
            </p>
          )
        }
      </Loaded>
      {isIssuing ? <IssueKey id={id} onIssued={setIssued} onClose={() => setIssuing(false)} /> : null}
      {issued ? <IssuedKey value={issued} onClose={() => setIssued(null)} /> : null}
    </Card>
  )
}

function noKey(error: ApiError): null {
  if (error.status === 404) return null
  throw error
}

function IssueKey({ id, onIssued, onClose }: { id: string; onIssued(key: string): void; onClose(): void }) {
  return (
    <Act
      title="Issue a new API key?"
      confirm="Issue"
      act={({ form, idempotencyKey }) =>
        dataOf(
          main.POST('/participants/api-key', {
            body: {
              expirationDate: Number(form.get('days')),
              previousValidHours: Number(form.get('previousValidHours')),
            },
            headers: { 'Idempotency-Key': idempotencyKey },
          }),
        )
      }
      done="A new key is issued"
      onDone={({ data }) => {
        onIssued(data.apiKey)
        void queries.invalidateQueries({ queryKey: ['api-key', id] })
      }}
      onClose={onClose}
    >
      <p>The key is shown once, in the next window. Whoever has it can move the money of your institution.</p>
      <Field label="Valid for (days)" name="days" type="number" required min={1} max={3650} defaultValue="365" />
      <Choice
        label="The previous key ends"
        name="previousValidHours"
        defaultValue="24"
        hint="Allow enough time to replace it everywhere; choose at once if it may have been stolen."
      >
        <option value="24">in 24 hours</option>
        <option value="168">in 7 days</option>
        <option value="0">now</option>
      </Choice>
    </Act>
  )
}

/** The only time that the key is shown. */
function IssuedKey({ value, onClose }: { value: string; onClose(): void }) {
  return (
    <Dialog title="Your new API key" isFirm onClose={onClose}>
      <div class="act">
        <Note tone="wait">It is not shown again. Keep it where your programs read their secrets.</Note>
        <div class="issued-key">
          <code>{value}</code>
          <Copy value={value} label="Copy the key" />
        </div>
        <div class="act-buttons">
          <Button look="main" onClick={onClose}>
            I have kept it
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
