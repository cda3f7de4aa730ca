import { useEffect, useRef, useState } from 'preact/hooks'
import { request } from '../../api/http'
import { passkeyProblem } from '../../api/passkey-problem'
import { loadPasskeys, ownFactorPath, proofIn, type SecondFactor } from '../../api/second-factor'
import type { Session } from '../../api/session'
import { Field } from '../../ui/field'
import { OwnProofFields } from '../../ui/proof-fields'
import { OwnPasswordField, passwordIn } from './own-password-field'
import { StepForm } from './step-form'

type Step =
  | { is: 'password' }
  | { is: 'code'; secret: string; otpauthUri: string }
  | { is: 'passkey'; options: unknown }

/**
 * The password, and the second factor where there is `one`; then an authenticator's first code, or a passkey. What `done`
 * gets has recovery codes, which are to be shown next.
 */
export function SetUpSecondFactor({ one, done }: { one?: SecondFactor; done(setUp: SetUp): void }) {
  const [step, setStep] = useState<Step>({ is: 'password' })
  if (step.is === 'password') return <Begin one={one} next={setStep} />
  if (step.is === 'code') return <FirstCode {...step} next={done} />
  return <NamePasskey options={step.options} next={done} again={() => setStep({ is: 'password' })} />
}

function Begin({ one, next }: { one: SecondFactor | undefined; next(step: Step): void }) {
  const isStuck = one?.totp === true && passkeyProblem() !== null
  const send = async (form: FormData) => {
    const proof = one ? await proofIn(form) : {}
    const body = { ...passwordIn(form), ...proof }
    next(form.get('way') === 'passkey' ? await beginPasskey(body) : await beginAuthenticator(body))
  }
  return (
    <StepForm send={send} words={['Go on', 'Checking…']} isBlocked={isStuck}>
      <Ways hasAuthenticator={one?.totp === true} />
      <OwnPasswordField />
      {one ? <OwnProofFields then="go on" /> : null}
    </StepForm>
  )
}

async function beginAuthenticator(body: object): Promise<Step> {
  const { data } = await request<{ data: { secret: string; otpauthUri: string } }>(`${ownFactorPath}/totp`, {
    method: 'POST',
    body,
  })
  return { is: 'code', ...data }
}

async function beginPasskey(body: object): Promise<Step> {
  const [{ data }] = await Promise.all([
    request<{ data: unknown }>(`${ownFactorPath}/passkeys/options`, { method: 'POST', body }),
    loadPasskeys(),
  ])
  return { is: 'passkey', options: data }
}

/** A user has one authenticator, and several passkeys. */
function Ways({ hasAuthenticator }: { hasAuthenticator: boolean }) {
  const problem = passkeyProblem()
  return (
    <fieldset class="field-group options">
      <legend>Kind of second factor</legend>
      <label>
        <input
          type="radio"
          name="way"
          value="authenticator"
          defaultChecked={!hasAuthenticator}
          disabled={hasAuthenticator}
        />
        <span>
          An authenticator
          <span class="hint">
            {hasAuthenticator ? 'You have one.' : 'An app on your telephone that shows a new code every 30 seconds.'}
          </span>
        </span>
      </label>
      <label>
        <input
          type="radio"
          name="way"
          value="passkey"
          required
          defaultChecked={hasAuthenticator && problem === null}
          disabled={problem !== null}
        />
        <span>
          A passkey
          <span class="hint">{problem ?? 'Your finger, your face or a PIN on this device, or a security key.'}</span>
        </span>
      </label>
    </fieldset>
  )
}

interface FirstCodeProps {
  secret: string
  otpauthUri: string
  next(setUp: SetUp): void
}

/** An authenticator is active after its first correct code. */
function FirstCode({ secret, otpauthUri, next }: FirstCodeProps) {
  const send = async (form: FormData) => {
    const body = { code: String(form.get('code')).trim() }
    next(await request<SetUp>('/session/second-factor', { method: 'POST', body }))
  }
  return (
    <StepForm send={send} words={['Set up', 'Checking…']}>
      <p>
        Add an account to your authenticator with this key, or <a href={otpauthUri}>open it on this device</a>.
      </p>
      <p>
        <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <Field
        label="The code that it shows now"
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        minLength={6}
        maxLength={6}
      />
    </StepForm>
  )
}

interface PasskeyProps {
  options: unknown
  next(setUp: SetUp): void
  again(): void
}

/** Creates a passkey in the browser, active at once. Its options are valid for five minutes, once. */
function NamePasskey({ options, next, again }: PasskeyProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const send = async (given: FormData) => {
    const { madePasskey } = await loadPasskeys()
    const body = { name: String(given.get('passkey-name')).trim(), response: await madePasskey(options) }
    next(await request<SetUp>('/session/passkeys', { method: 'POST', body }))
  }
  return (
    <StepForm of={form} send={send} words={['Add the passkey', 'Waiting for the passkey…']} again={again}>
      <p>Your browser now asks where to keep the passkey. The passkey never leaves that place.</p>
      <Field
        label="Name of the passkey"
        name="passkey-name"
        required
        pattern=".*\S.*"
        maxLength={64}
        hint="A name by which you recognise it, such as “Blue security key”."
      />
    </StepForm>
  )
}

/** The answer when a second factor is set up: the session that continues. Codes are null if the user has some already. */
export interface SetUp {
  session: Session
  recoveryCodes: readonly string[] | null
}
