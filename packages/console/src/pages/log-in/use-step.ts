import { useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'

/** One form of several in a row. What was refused is shown, and the form stays. */
export function useStep(send: (form: FormData) => Promise<void>) {
  const [error, setError] = useState<ApiError | null>(null)
  const [isSending, setSending] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isSending) return
    setSending(true)
    setError(null)
    try {
      await send(new FormData(event.currentTarget as HTMLFormElement))
    } catch (cause) {
      setError(asApiError(cause))
    }
    setSending(false)
  }
  return { submit, error, isSending }
}
