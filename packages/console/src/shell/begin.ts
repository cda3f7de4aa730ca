import { loadSession, sessionStore } from '../api/session'
import { takeReturn } from '../api/sign-on'
import { completeSignOn } from '../api/sign-on-return'
import { notify } from '../ui/announce'

/** Reads the session, or completes a log-in through the provider. Called once, at the start. */
export async function begin(): Promise<void> {
  const query = takeReturn()
  if (query === null) return await loadSession()
  const error = await completeSignOn(query)
  if (error && sessionStore.get().is === 'open') notify(error.message, { tone: 'bad' })
}
