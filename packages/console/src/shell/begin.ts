import { type ApiError, asApiError } from '../api/api-error'
import { request } from '../api/http'
import type { Challenged } from '../api/second-factor'
import { loadSession, openSession, type Session, sessionStore } from '../api/session'
import { signOn, takeReturn } from '../api/sign-on'
import { notify } from '../ui/announce'

/** Reads the session, or completes a log-in through the provider. Called once, at the start. */
export async function begin(): Promise<void> {
  const query = takeReturn()
  if (query === null) return await loadSession()
  const error = await completeSignOn(query)
  if (error && sessionStore.get().is === 'open') notify(error.message, { tone: 'bad' })
}

/** Logs in with the query of a return from the provider. Returns the reason if that fails; an existing session continues then. */
async function completeSignOn(query: string): Promise<ApiError | null> {
  try {
    const body = { query }
    const answer = await request<Session | Challenged>('/session/single-sign-on/return', {
      method: 'POST',
      body,
    })
    if (!('challenge' in answer)) {
      openSession(answer)
      return null
    }
    signOn.set(answer)
    sessionStore.set({ is: 'none' })
    return null
  } catch (cause) {
    const error = asApiError(cause)
    signOn.set({ error })
    await loadSession()
    return error
  }
}
