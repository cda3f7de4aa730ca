import { request } from '../../api/http'
import { type Challenged, proofIn } from '../../api/second-factor'
import type { Session } from '../../api/session'
import { Button } from '../../ui/button'
import { ProofFields } from '../../ui/proof-fields'
import { StepForm } from './step-form'

interface Props {
  of: Challenged
  opened(session: Session): void
  back(): void
}

/** The second step of a log-in: a code, or a passkey. */
export function CodeForm({ of: { challenge, methods }, opened, back }: Props) {
  const send = async (given: FormData) => {
    const proof = await proofIn(given, () => request('/session/code/options', { method: 'POST', body: { challenge } }))
    opened(await request<Session>('/session/code', { method: 'POST', body: { challenge, ...proof } }))
  }
  return (
    <>
      <StepForm send={send} words={['Go on', 'Checking…']} look={methods.includes('code') ? 'main' : 'plain'}>
        <ProofFields of={{ code: methods.includes('code'), passkey: methods.includes('passkey') }} takesFocus />
      </StepForm>
      <Button look="quiet" onClick={back}>
        Back to the password
      </Button>
    </>
  )
}
