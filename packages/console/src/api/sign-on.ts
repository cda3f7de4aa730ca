import type { ApiError } from './api-error'
import { request } from './http'
import type { Challenged } from './second-factor'
import { createStore } from './store'

/** Where the provider sends browsers back to; OIDC_REDIRECT_URL is the same unless it is set. */
const returnPath = '/console/single-sign-on'
const placeName = 'place-before-sign-on'

/** The error of the last return from the provider, or its next step: the log-in page shows it. */
export const signOn = createStore<{ error: ApiError } | Challenged | null>(null)

/** The name of the log-in provider; null if there is none. */
export const readProvider = async (): Promise<string | null> =>
  (await request<{ name: string | null }>('/session/single-sign-on')).name

/** Redirects to the provider. The same page is shown after the log-in; input is lost. */
export async function goToProvider(asked: { fresh?: boolean } = {}): Promise<void> {
  const { url } = await request<{ url: string }>('/session/single-sign-on', { method: 'POST', body: asked })
  sessionStorage.setItem(placeName, location.pathname + location.search)
  location.assign(url)
}

/**
 * The query with which the provider redirected here; null if the page was opened otherwise. It is removed from the
 * address and the history.
 */
export function takeReturn(): string | null {
  if (location.pathname !== returnPath) return null
  const query = location.search.slice(1)
  const place = sessionStorage.getItem(placeName) ?? '/console'
  history.replaceState(null, '', place.startsWith('/console') ? place : '/console')
  return query || null
}
