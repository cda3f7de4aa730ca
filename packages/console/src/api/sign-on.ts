import { type ApiError, asApiError } from './api-error'
import { request } from './http'
import type { Challenged } from './second-factor'
import { loadSession, openSession, type Session, sessionStore } from './session'
import { createStore } from './store'

/** Where the provider sends browsers back to; OIDC_REDIRECT_URL is the same unless it is set. */
const returnPath = '/console/single-sign-on'
const placeName = 'place-before-sign-on'

/** What the provider has sent this browser back with has come to nothing (yet): the log-in page says so, or asks on. */
export const signOn = createStore<{ error: ApiError } | Challenged | null>(null)

/** What people call the provider that they may log in through; null for none. */
export const readProvider = async (): Promise<string | null> =>
  (await request<{ name: string | null }>('/session/single-sign-on')).name

/** Leaves for the provider. What was shown is shown again after the log-in; what was typed is lost. */
export async function goToProvider(asked: { fresh?: boolean } = {}): Promise<void> {
  const { url } = await request<{ url: string }>('/session/single-sign-on', { method: 'POST', body: asked })
  sessionStorage.setItem(placeName, location.pathname + location.search)
  location.assign(url)
}

/**
 * The query that the provider has sent this browser back with, null for a page that was opened otherwise. It is in the
 * address no more then, nor in the history.
 */
export function takeReturn(): string | null {
  if (location.pathname !== returnPath) return null
  const query = location.search.slice(1)
  const place = sessionStorage.getItem(placeName) ?? '/console'
  history.replaceState(null, '', place.startsWith('/console') ? place : '/console')
  return query || null
}

/** Logs in by it. Answers why not, where it does not; a session that there was goes on then. */
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
