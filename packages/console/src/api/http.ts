import { ApiError, noAnswer, toApiError } from './api-error'
import { createStore } from './store'

/** All requests of the console are below it. */
export const apiBase = '/console/api'

/** Whether the gateway answers; `since` is when it stopped, in milliseconds. */
export const connection = createStore<{ isUp: boolean; since: number }>({ isUp: true, since: 0 })

/** Called when a request is refused because the session has ended; session.ts sets it. */
let onSessionEnd: () => void = () => {}
export const whenSessionEnds = (listener: () => void): void => {
  onSessionEnd = listener
}

/** Whether a person uses the page; presence.ts sets it. What a page reads by itself must not keep a session open. */
let isUsed: () => boolean = () => true
export const askWhetherUsed = (answer: () => boolean): void => {
  isUsed = answer
}

/**
 * `fetch` for the console: adds its header, throws ApiError, and updates the states of session and connection. What the
 * gateway refuses because too much came at once was not carried out: it is sent again after a short pause.
 */
export async function consoleFetch(request: Request): Promise<Response> {
  // Proves to the gateway that a write comes from the console's own script.
  request.headers.set('x-console', '1')
  if (!isUsed()) request.headers.set('x-console-background', '1')
  for (let tries = 1; ; tries += 1) {
    const { response, body } = await answerTo(request.clone())
    const { ok, status, headers } = response
    if (ok) return response
    const pauseSeconds = Number(headers.get('retry-after'))
    if (status !== 429 || pauseSeconds > longestPauseSeconds || tries === mostTries) {
      if (status === 401 && !isAboutSecrets(new URL(request.url).pathname)) onSessionEnd()
      throw toApiError(status, body, headers)
    }
    await new Promise((done) => setTimeout(done, pauseSeconds * 1000))
  }
}

const mostTries = 5
/** Whoever has tried to log in too often is told, and does not wait for minutes. */
const longestPauseSeconds = 2

/** An answer that was read to its end, and what its text is. */
async function answerTo(request: Request): Promise<{ response: Response; body: unknown }> {
  try {
    const response = await fetch(request)
    const text = await response.text()
    if (!connection.get().isUp) connection.set({ isUp: true, since: Date.now() })
    const body = parsed(text)
    // Not of the gateway, but of a proxy before it, for example.
    if (response.ok && body === undefined) throw new ApiError(0, 'The answer cannot be read')
    return { response: new Response(text || null, response), body }
  } catch (cause) {
    if (cause instanceof ApiError || (cause instanceof DOMException && cause.name === 'AbortError')) throw cause
    if (connection.get().isUp) connection.set({ isUp: false, since: Date.now() })
    throw noAnswer()
  }
}

/** Null for no text, undefined for what is not JSON. */
function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Paths where 401 means a wrong password or code, not the end of the session. */
const isAboutSecrets = (pathname: string): boolean =>
  [`${apiBase}/session`, `${apiBase}/identity/v1/users/mfa`].some((path) => pathname.startsWith(path))

export interface Sent {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** For routes of the gateway itself, which no OpenAPI document describes: `request<Health>('/health')`. */
export async function request<T>(path: string, sent: Sent = {}): Promise<T> {
  const headers = new Headers(sent.headers)
  if (sent.body !== undefined) headers.set('content-type', 'application/json')
  const response = await consoleFetch(
    new Request(new URL(`${apiBase}${path}${queryText(sent.query)}`, location.origin), {
      method: sent.method ?? 'GET',
      headers,
      body: sent.body === undefined ? undefined : JSON.stringify(sent.body),
      signal: sent.signal,
    }),
  )
  return (response.status === 204 ? undefined : await response.json()) as T
}

/** Includes the question mark; empty values are left out. */
export function queryText(query: Sent['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** A key for one decision of one person. */
export const idempotencyKey = (): string => crypto.randomUUID()
