import { useEffect, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
import { request } from '../../api/http'
import { openSession } from '../../api/session'
import { Act } from '../../ui/act'
import { notify } from '../../ui/announce'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field } from '../../ui/field'
import { ErrorNote } from '../../ui/states'
import { RecoveryCodes, SetUpSecondFactor } from './set-up-second-factor'

interface State {
  totp: boolean
  recoveryCodesLeft: number
  required: boolean
}

const path = '/identity/v1/users/mfa'

/** Who is logged in sets up a second factor, gets new recovery codes, or removes it. */
export default function OwnSecondFactor({ onClose }: { onClose(): void }) {
  const [state, setState] = useState<State | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const [act, setAct] = useState<'renew' | 'remove' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  useEffect(() => {
    request<{ data: State }>(path).then(
      ({ data }) => setState(data),
      (cause) => setError(asApiError(cause)),
    )
  }, [])
  if (act === 'remove') return <Remove onClose={onClose} />
  if (act === 'renew') return <Renew got={setCodes} onClose={() => setAct(null)} />
  return (
    <Dialog title="Your second factor" onClose={onClose}>
      {error ? <ErrorNote error={error} /> : null}
      {codes ? <RecoveryCodes codes={codes} done={onClose} /> : null}
      {state && !state.totp ? (
        <SetUpSecondFactor
          done={(session) => {
            openSession(session)
            notify('The second factor is set up')
            onClose()
          }}
        />
      ) : null}
      {state?.totp && !codes ? (
        <div class="stack">
          <p>
            A code of your authenticator is asked for when you log in. {state.recoveryCodesLeft} recovery codes are
            left.
          </p>
          <div class="act-buttons">
            <Button onClick={() => setAct('renew')}>New recovery codes</Button>
            <Button look="danger" onClick={() => setAct('remove')}>
              Remove
            </Button>
          </div>
        </div>
      ) : null}
    </Dialog>
  )
}

const Fields = () => (
  <>
    <Field label="Your password" name="password" type="password" autoComplete="current-password" required />
    <Field label="Code" name="code" autoComplete="one-time-code" required minLength={6} maxLength={40} />
  </>
)
const given = (form: FormData) => ({ password: String(form.get('password')), code: String(form.get('code')).trim() })

const Renew = ({ got, onClose }: { got(codes: string[]): void; onClose(): void }) => (
  <Act
    title="Get new recovery codes?"
    confirm="Get new codes"
    act={({ form }) =>
      request<{ data: { recoveryCodes: string[] } }>(`${path}/recovery-codes`, { method: 'POST', body: given(form) })
    }
    done="There are new recovery codes"
    onDone={({ data }) => got(data.recoveryCodes)}
    onClose={onClose}
  >
    <p>Those that you have are void then.</p>
    <Fields />
  </Act>
)

const Remove = ({ onClose }: { onClose(): void }) => (
  <Act
    title="Remove your second factor?"
    confirm="Remove"
    look="danger"
    act={({ form }) => request(`${path}/totp/remove`, { method: 'POST', body: given(form) })}
    done="The second factor is removed"
    onClose={onClose}
  >
    <p>Your password alone logs you in then.</p>
    <Fields />
  </Act>
)
