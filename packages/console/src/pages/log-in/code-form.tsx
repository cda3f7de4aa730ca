import { useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
import { request } from '../../api/http'
import { type Challenged, proofIn } from '../../api/second-factor'
import type { Session } from '../../api/session'
import { Button } from '../../ui/button'
import { ProofFields } from '../../ui/proof-fields'
import { ErrorNote } from '../../ui/states'

interface Props {
  of: Challenged
  opened(session: Session): void
  back(): void
}

/** The second step of a log-in: a code, or a passkey. */
export function CodeForm({ of: { challenge, methods }, opened, back }: Props) {
  const [error, setError] = useState<ApiError | null>(null)
  const [isSending, setSending] = useState(false)
  const submit = async (given: FormData) => {
    setSending(true)
    setError(null)
    try {
      const proof = await proofIn(given, () =>
        request('/session/code/options', { method: 'POST', body: { challenge } }),
      )
      opened(await request<Session>('/session/code', { method: 'POST', body: { challenge, ...proof } }))
    } catch (cause) {
      setError(asApiError(cause))
      setSending(false)
    }
  }
  return (
    <form
      class="act"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSending) void submit(new FormData(event.currentTarget))
      }}
    >
      <ProofFields of={{ code: methods.includes('code'), passkey: methods.includes('passkey') }} takesFocus />
      {error ? <ErrorNote error={error} /> : null}
      <Button type="submit" look={methods.includes('code') ? 'main' : 'plain'} disabled={isSending}>
        {isSending ? 'Checking…' : 'Go on'}
      </Button>
      <Button look="quiet" onClick={back}>
        Back to the password
      </Button>
    </form>
  )
}
