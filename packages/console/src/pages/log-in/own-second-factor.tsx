import { useState } from 'preact/hooks'
import { request } from '../../api/http'
import { reread } from '../../api/query'
import {
  ownFactorPath,
  type Passkey,
  proofIn,
  type SecondFactor,
  usePasskeys,
  useSecondFactor,
} from '../../api/second-factor'
import { openSession } from '../../api/session'
import { counted } from '../../format/words'
import { Act } from '../../ui/act'
import { notify } from '../../ui/announce'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { OwnProofFields } from '../../ui/proof-fields'
import { Loaded } from '../../ui/states'
import { Ago, Time } from '../../ui/time'
import { OwnPasswordField, passwordIn } from './own-password-field'
import { RecoveryCodes } from './recovery-codes'
import { SetUpSecondFactor } from './set-up-second-factor'

type Open =
  | { is: 'add' }
  | { is: 'renew' }
  | { is: 'codes'; codes: readonly string[]; kept(): void }
  | { is: 'remove'; passkey: Passkey | null }

const readAgain = (): void => reread(['second-factor'])

/** The current user's second factors: add, remove, renew the recovery codes. */
export default function OwnSecondFactor({ onClose }: { onClose(): void }) {
  const state = useSecondFactor()
  const [open, setOpen] = useState<Open | null>(null)
  const back = () => setOpen(null)
  if (open?.is === 'remove') return <Remove passkey={open.passkey} onClose={back} />
  // Its result is shown next: closing this dialog must not close that one.
  if (open?.is === 'renew') {
    return (
      <Renew
        got={(codes) => setOpen({ is: 'codes', codes, kept: onClose })}
        onClose={() => setOpen((now) => (now?.is === 'renew' ? null : now))}
      />
    )
  }
  const setUp = (one?: SecondFactor) => (
    <SetUpSecondFactor
      {...(one ? { one } : {})}
      done={({ session, recoveryCodes: codes }) => {
        const kept = () => {
          openSession(session)
          readAgain()
          notify('The second factor is set up')
          onClose()
        }
        if (codes) setOpen({ is: 'codes', codes, kept })
        else kept()
      }}
    />
  )
  return (
    <Dialog title="Your second factor" isFirm={open?.is === 'codes'} onClose={onClose}>
      {open?.is === 'codes' ? (
        <RecoveryCodes codes={open.codes} done={open.kept} />
      ) : (
        <Loaded of={state}>
          {(one) => {
            if (!one.totp && one.passkeys === 0) return setUp()
            return open?.is === 'add' ? setUp(one) : <What of={one} choose={setOpen} />
          }}
        </Loaded>
      )}
    </Dialog>
  )
}

function What({ of: { totp, passkeys, recoveryCodesLeft }, choose }: { of: SecondFactor; choose(open: Open): void }) {
  return (
    <div class="stack">
      <p>
        {totp ? 'A code of your authenticator' : 'A passkey'} {totp && passkeys > 0 ? 'or a passkey ' : ''}
        is asked for when you log in. {counted(recoveryCodesLeft, 'recovery code')}{' '}
        {recoveryCodesLeft === 1 ? 'is' : 'are'} left.
      </p>
      {passkeys > 0 ? <OwnPasskeys remove={(passkey) => choose({ is: 'remove', passkey })} /> : null}
      <div class="act-buttons">
        <Button onClick={() => choose({ is: 'add' })}>{totp ? 'Add a passkey' : 'Add another'}</Button>
        <Button onClick={() => choose({ is: 'renew' })}>New recovery codes</Button>
        {totp ? (
          <Button
            look="danger"
            aria-label={passkeys > 0 ? 'Remove the authenticator' : undefined}
            onClick={() => choose({ is: 'remove', passkey: null })}
          >
            {passkeys > 0 ? 'Remove authenticator' : 'Remove'}
          </Button>
        ) : null}
      </div>
    </div>
  )
}

const Fields = ({ then }: { then: string }) => (
  <>
    <OwnPasswordField />
    <OwnProofFields then={then} />
  </>
)

const send = async <T,>(path: string, form: FormData): Promise<T> =>
  request<T>(`${ownFactorPath}/${path}`, {
    method: 'POST',
    body: { ...passwordIn(form), ...(await proofIn(form)) },
  })

const Renew = ({ got, onClose }: { got(codes: string[]): void; onClose(): void }) => (
  <Act
    title="Get new recovery codes?"
    confirm="Get new codes"
    act={({ form }) => send<{ data: { recoveryCodes: string[] } }>('recovery-codes', form)}
    done="There are new recovery codes"
    onDone={({ data }) => {
      readAgain()
      got(data.recoveryCodes)
    }}
    onClose={onClose}
  >
    <p>Your present codes become void.</p>
    <Fields then="get new codes" />
  </Act>
)

/** One passkey, or the authenticator. */
const Remove = ({ passkey, onClose }: { passkey: Passkey | null; onClose(): void }) => (
  <Act
    title={passkey ? `Remove the passkey “${passkey.name}”?` : 'Remove your second factor?'}
    confirm="Remove"
    look="danger"
    act={({ form }) => send(passkey ? `passkeys/${encodeURIComponent(passkey.id)}/remove` : 'totp/remove', form)}
    done={passkey ? 'The passkey is removed' : 'The second factor is removed'}
    onDone={readAgain}
    onClose={onClose}
  >
    <p>
      {passkey
        ? 'It no longer works from then on. Delete it where it is kept, too.'
        : 'Its codes no longer work from then on.'}{' '}
      Without another second factor your password alone logs you in then, and the recovery codes are void.
    </p>
    <Fields then="remove" />
  </Act>
)

/** The current user's passkeys, by name. */
function OwnPasskeys({ remove }: { remove(passkey: Passkey): void }) {
  const passkeys = usePasskeys()
  return (
    <Loaded of={passkeys}>
      {(rows) => (
        <ul class="rows sessions" aria-label="Your passkeys">
          {rows.map((row) => (
            <li key={row.id} class="ends">
              <div>
                <strong>{row.name}</strong>
                <p class="hint">
                  Since <Time at={row.createdAt} />,{' '}
                  {row.lastUsedAt ? <Ago what="last used" at={row.lastUsedAt} /> : 'not used yet'}
                </p>
              </div>
              <Button isSmall onClick={() => remove(row)} aria-label={`Remove the passkey ${row.name}`}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
