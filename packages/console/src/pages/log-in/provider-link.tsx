import { useEffect, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
import { goToProvider, readProvider, signOn } from '../../api/sign-on'
import { useStore } from '../../api/store'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/states'

/** The way to log in through the deployment's own provider, where there is one; and what it came to, where that was nothing. */
export function ProviderLink() {
  const [name, setName] = useState<string | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const came = useStore(signOn)
  // Without an answer there is the password, which needs the same gateway and says what is wrong.
  useEffect(() => void readProvider().then(setName, () => {}), [])
  const leave = async () => {
    setLeaving(true)
    setError(null)
    signOn.set(null)
    try {
      await goToProvider()
    } catch (cause) {
      setError(asApiError(cause))
      setLeaving(false)
    }
  }
  const shown = error ?? (came && 'error' in came ? came.error : null)
  return (
    <>
      {shown ? <ErrorNote error={shown} /> : null}
      {name === null ? null : (
        <Button onClick={() => void leave()} disabled={isLeaving}>
          {isLeaving ? `Going to ${name}…` : `Sign in with ${name}`}
        </Button>
      )}
    </>
  )
}
