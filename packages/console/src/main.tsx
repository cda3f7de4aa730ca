import './style/index.css'
import { render } from 'preact'
import { type ApiError, asApiError } from './api/api-error'
import { request } from './api/http'
import { queries } from './api/query'
import type { Challenged } from './api/second-factor'
import { loadSession, openSession, type Session, sessionStore } from './api/session'
import { signOn, takeReturn } from './api/sign-on'
import { pageAt } from './routes'
import { App } from './shell/app'
import { watchPresence } from './shell/presence'
import { notify } from './ui/announce'
import { listenForKeys } from './ui/keys'
import { applyLook } from './ui/preferences'

applyLook()
queries.mount()
watchPresence()
listenForKeys()
void begin()
void pageAt(location.pathname)?.preload()
const place = document.querySelector('#app')
if (place) render(<App />, place)

/** Reads the session, or completes a log-in through the provider. Called once, at the start. */
async function begin(): Promise<void> {
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
