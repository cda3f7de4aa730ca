import { noAnswer, toApiError } from './api-error'
import { createStore } from './store'

/** All requests of the console are below it. */
export const apiBase = '/console/api'

/** Proves to the gateway that a write comes from the console's own script. */
const consoleHeader = { 'x-console': '1' }

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

/** `fetch` for the console: adds its header, throws ApiError, and updates the states of session and connection. */
export async function consoleFetch(request: Request): Promise<Response> {
  for (const [name, value] of Object.entries(consoleHeader)) request.headers.set(name, value)
  if (!isUsed()) request.headers.set('x-console-background', '1')
  let response: Response
  try {
    response = await fetch(request)
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    if (connection.get().isUp) connection.set({ isUp: false, since: Date.now() })
    throw noAnswer()
  }
  connection.set(connection.get().isUp ? connection.get() : { isUp: true, since: Date.now() })
  if (response.ok) return response
  const error = toApiError(response.status, await readBody(response), response.headers.get('x-request-id'))
  if (response.status === 401 && !isAboutSecrets(new URL(request.url).pathname)) onSessionEnd()
  throw error
}

/** Paths where 401 means a wrong password or code, not the end of the session. */
const isAboutSecrets = (pathname: string): boolean =>
  [`${apiBase}/session`, `${apiBase}/identity/v1/users/mfa`].some((path) => pathname.startsWith(path))

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

interface Sent {
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
