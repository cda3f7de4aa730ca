import { useEffect, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../api/api-error'
import { goToProvider, readProvider } from '../api/sign-on'
import { Button } from './button'
import { ErrorNote } from './states'

/** Users without a second factor here verify one at the provider, and come back to this page. */
export function ShowAtProvider() {
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
