import { reread } from '../../api/query'
import { dataOf, identity } from '../../api/services'
import { Act } from '../../ui/act'
import { Card, Facts } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { Time } from '../../ui/time'
import { type User, useProviderAccounts } from './users-query'

/** A user's accounts at log-in providers (single sign-on); renders nothing if there is none. */
export function ProviderAccounts({ user, mayTake }: { user: User; mayTake: boolean }) {
  const { data: accounts = [] } = useProviderAccounts(user.id)
  if (accounts.length === 0) return null
  return (
    <Card title="Single sign-on">
      {accounts.map(({ issuer, subject, createdAt, lastUsedAt }) => (
        <Facts
          key={issuer}
          of={[
            ['Provider', issuer],
            ['Account', subject],
            ['Since', <Time at={createdAt} isWhole />],
            ['Last log-in', <Time at={lastUsedAt} isWhole />],
          ]}
        />
      ))}
      {mayTake ? (
        <div class="row">
          <DialogButton isSmall dialog={(close) => <TakeAway user={user} onClose={close} />}>
            Unlink the account
          </DialogButton>
        </div>
      ) : null}
    </Card>
  )
}

const TakeAway = ({ user, onClose }: { user: User; onClose(): void }) => (
  <Act
    title={`Unlink the provider account of ${user.name}?`}
    confirm="Unlink"
    look="danger"
    act={() => dataOf(identity.DELETE('/users/{userId}/provider-accounts', { params: { path: { userId: user.id } } }))}
    done={`${user.name} no longer has a provider account`}
    onDone={() => reread(['provider-accounts'], ['sessions'])}
    onClose={onClose}
  >
    <p>
      All sessions end. The next log-in through the provider looks for the user again, by its address where the settings
      allow that. To shut the user out, disable it.
    </p>
  </Act>
)
