import { useSession } from '../../api/session'
import { Card, Facts } from '../../ui/card'
import { Id } from '../../ui/id'
import { Loaded } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { isValid, useApiKeys } from '../keys/keys-query'

/** The facts of the newest API key, never the key. Only its own administrators issue keys, which can move money. */
export function ApiKeyCard({ id }: { id: string }) {
  const isOwn = useSession().user.participantId === id
  const keys = useApiKeys(id)
  return (
    <Card title="API key" aside={isOwn ? <a href="/console/keys">All keys</a> : null}>
      <Loaded of={keys} lines={2}>
        {([newest]) =>
          newest ? (
            <Facts
              of={[
                ['Key', <code>{newest.masked}</code>],
                ['Status', <Status value={newest.status} tone={isValid(newest) ? 'good' : 'bad'} />],
                ['Issued', <Time at={newest.createdAt} isWhole />],
                [isValid(newest) ? 'Until' : 'Ended', <Time at={newest.validUntil} isWhole />],
                ['From', newest.addresses?.join(', ') ?? 'any address'],
                ['Id', <Id value={newest.id} />],
              ]}
            />
          ) : (
            <p class="hint">
              There is none yet. Only its own administrators issue keys, under API keys of their console: a key can move
              its money.
            </p>
          )
        }
      </Loaded>
    </Card>
  )
}
