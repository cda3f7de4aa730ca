import { type ApiError, asApiError } from './api-error'
import { request } from './http'
import type { Challenged } from './second-factor'
import { loadSession, openSession, type Session, sessionStore } from './session'
import { signOn } from './sign-on'

/** Logs in with the query of a return from the provider. Returns the reason if that fails; an existing session continues then. */
export async function completeSignOn(query: string): Promise<ApiError | null> {
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
