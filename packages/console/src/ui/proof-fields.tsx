import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../api/api-error'
import { passkeyProblem } from '../api/passkey-problem'
import { loadPasskeys, proofField, useSecondFactor } from '../api/second-factor'
import { goToProvider, readProvider } from '../api/sign-on'
import { Button } from './button'
import { Field } from './field'
import { ErrorNote, Skeleton } from './states'

interface Props {
  /** The factors that the user has set up. */
  of: { code: boolean; passkey: boolean }
  label?: string
  /** The act that the passkey's button also carries out: `remove`. */
  then?: string
  /** Whether it takes the focus at once. */
  takesFocus?: boolean
}

/** A code, or a passkey if the user has one: pass the form's `FormData` to `proofIn`. */
export function ProofFields({ of: { code, passkey }, label = 'Code', then, takesFocus }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const problem = passkey ? passkeyProblem() : null
  const isOffered = passkey && problem === null
  useEffect(() => {
    if (takesFocus) place.current?.querySelector<HTMLElement>('button, input:not([type=hidden])')?.focus()
  }, [takesFocus])
  useEffect(() => {
    if (isOffered) void loadPasskeys().catch(() => {})
  }, [isOffered])
  return (
    <div class="act" ref={place}>
      <input type="hidden" name={proofField.by} />
      {isOffered ? (
        <Button
          icon="key"
          look={code || then ? 'plain' : 'main'}
          onClick={(event) => submitByPasskey(event.currentTarget)}
        >
          Use a passkey{then ? ` and ${then}` : ''}
        </Button>
      ) : null}
      <Field
        label={code ? label : 'Recovery code'}
        name={proofField.code}
        autoComplete="one-time-code"
        required
        minLength={6}
        maxLength={40}
        hint={
          code
            ? 'Six digits from your authenticator, or one of your recovery codes.'
            : `One of your recovery codes, if you have no passkey at hand.${problem ? ` ${problem}` : ''}`
        }
      />
    </div>
  )
}

/** The same for the current user's own factors. */
export function OwnProofFields(props: Omit<Props, 'of'>) {
  const { data, isPending } = useSecondFactor()
  if (isPending) return <Skeleton lines={2} />
  if (data && !data.totp && data.passkeys === 0) return <ShowAtProvider />
  return <ProofFields {...props} of={{ code: data?.totp ?? true, passkey: (data?.passkeys ?? 0) > 0 }} />
}

/** Submits the form if all its other fields are valid, without requiring the code. */
function submitByPasskey({ form }: HTMLButtonElement) {
  const [by, code] = [proofField.by, proofField.code].map((name) => form?.elements.namedItem(name))
  if (!(by instanceof HTMLInputElement && code instanceof HTMLInputElement)) return
  by.value = 'passkey'
  code.disabled = true
  form?.requestSubmit()
  by.value = ''
  code.disabled = false
}

/** Users without a second factor here verify one at the provider, and come back to this page. */
function ShowAtProvider() {
  const [name, setName] = useState<string | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  useEffect(() => void readProvider().then(setName, () => {}), [])
  if (name === null) return <p>Set up a second factor first, in your account menu.</p>
  return (
    <div class="stack">
      <p>Show your second factor at {name}, then come back and decide within five minutes.</p>
      {error ? <ErrorNote error={error} /> : null}
      <Button onClick={() => void goToProvider({ fresh: true }).catch((cause) => setError(asApiError(cause)))}>
        Go to {name}
      </Button>
    </div>
  )
}
