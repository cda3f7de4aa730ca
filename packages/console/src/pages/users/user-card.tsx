import { useState } from 'preact/hooks'
import { reread } from '../../api/query'
import { dataOf, identity } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { toWords } from '../../format/words'
import { Act } from '../../ui/act'
import { Button } from '../../ui/button'
import { Card, Facts, SidePanel } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { Id } from '../../ui/id'
import { Organisation } from '../../ui/organisations'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { SessionList } from './session-list'
import { UserAct, type UserActName } from './user-acts'
import { manages, type User, useProviderAccounts } from './users-query'

/** One user: facts, acts and sessions. */
export function UserCard({ user, close }: { user: User; close(): void }) {
  const session = useSession()
  const [act, setAct] = useState<UserActName | null>(null)
  const isSelf = session.user.id === user.id
  const isManaged = manages(session, user)
  const isStaff = useCan('read')
  return (
    <SidePanel>
      <Card title={user.name} aside={<Button look="quiet" isSmall icon="cross" aria-label="Close" onClick={close} />}>
        <Facts
          of={[
            ['E-mail', user.email],
            ['Status', <Status value={user.status} />],
            ['Role', user.roles.map(toWords).join(', ') || 'None'],
            ['Belongs to', isStaff ? <Organisation of={user} /> : null],
            ['Password', user.mustChangePassword ? 'Must choose another' : null],
            ['Invited', <Time at={user.createdAt} isWhole />],
            ['Changed', <Time at={user.updatedAt} isWhole />],
            ['Id', <Id value={user.id} />],
          ]}
        />
        {isManaged ? (
          <div class="row">
            {actsFor(user, isSelf).map(([name, words]) => (
              <Button key={name} isSmall look={name === 'delete' ? 'danger' : 'plain'} onClick={() => setAct(name)}>
                {words}
              </Button>
            ))}
          </div>
        ) : null}
      </Card>
      {isManaged || isSelf ? <ProviderAccounts user={user} mayTake={isManaged && !isSelf} /> : null}
      {isManaged || isSelf ? (
        <Card title="Sessions">
          <SessionList userId={user.id} />
        </Card>
      ) : null}
      {act ? <UserAct name={act} user={user} onClose={() => setAct(null)} onDeleted={close} /> : null}
    </SidePanel>
  )
}

/** Users cannot remove their own role or access: another administrator must. */
function actsFor({ status }: User, isSelf: boolean): (readonly [UserActName, string])[] {
  const acts: (readonly [UserActName, string])[] = [['rename', 'Rename']]
  if (isSelf) return acts
  acts.push(['role', 'Change role'])
  if (status === 'INVITED') acts.push(['reset', 'Send the invitation again'])
  if (status === 'ACTIVE')
    acts.push(['reset', 'Reset password'], ['second-factor', 'Remove second factor'], ['log-out', 'Log out everywhere'])
  acts.push(status === 'DISABLED' ? ['enable', 'Enable'] : ['disable', 'Disable'], ['delete', 'Delete'])
  return acts
}

/** A user's accounts at log-in providers (single sign-on); renders nothing if there is none. */
function ProviderAccounts({ user, mayTake }: { user: User; mayTake: boolean }) {
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
