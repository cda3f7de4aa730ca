import { isIsoTime, parseIsoTime } from '@bursar/contracts/schema'
import type { Answer } from './adapter'
import { badCredential, invalidAnswer, rateLimited, unavailable } from './provider-failure'

/** A JSON value whose numbers are kept as their original text, so that no digit is lost before big.js. */
export type ExactJson = string | boolean | null | ExactJson[] | { [key: string]: ExactJson }

/** The answer as JSON. Throws the failure for an error status, or `invalid-answer` when it is not JSON. */
export function readJson(answer: Answer): ExactJson {
  refuseStatus(answer.status)
  const body = peekJson(answer)
  if (body === undefined) throw invalidAnswer('no JSON')
  return body
}

/** The answer as JSON whatever its status, to look for the provider's own error; undefined when it is not JSON. */
export function peekJson({ text }: Answer): ExactJson | undefined {
  try {
    return JSON.parse(text, exactNumber)
  } catch {
    return undefined
  }
}

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value
}

/** Throws the usual failure for an error status. Adapters check for a provider's own errors first. */
function refuseStatus(status: number): void {
  if (status >= 200 && status < 300) return
  if (status === 429 || status === 418) throw rateLimited()
  if (status === 401 || status === 403) throw badCredential()
  throw unavailable(`answered with status ${status}`)
}

/** The value at a dotted path (`data.0.price`); undefined when there is none. */
export function pick(value: ExactJson | undefined, path: string): ExactJson | undefined {
  let at = value
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = Array.isArray(at) ? at[Number(key)] : at[key]
  }
  return at
}

/** The text or number at a path, as text; empty when there is none. */
export function textAt(value: ExactJson | undefined, path: string): string {
  const found = pick(value, path)
  return typeof found === 'string' ? found : ''
}

/** True for `{…}`, false for lists and all else. */
export const isObject = (value: ExactJson | undefined): value is { [key: string]: ExactJson } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first value of a list or an object, for providers that choose its key. */
export function firstOf(value: ExactJson | undefined): ExactJson | undefined {
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : undefined
}

/** The price at a path, as text. queryProvider validates it. */
export function priceAt(value: ExactJson | undefined, path: string): string {
  const found = textAt(value, path)
  if (found === '') throw invalidAnswer('no price')
  return found
}

/** The time at a path: seconds or smaller units since 1970, or ISO 8601, in UTC without a zone. Undefined when there is none. */
export function timeAt(value: ExactJson | undefined, path: string): Date | undefined {
  const found = textAt(value, path)
  if (found === '') return undefined
  const unix = Number(found)
  const at = Number.isNaN(unix) ? readTime(found) : new Date(millisecondsOf(unix))
  if (Number.isNaN(at.getTime())) throw invalidAnswer('a time that cannot be read')
  return at
}

/** Without a zone `Date` would take the machine's. Many write a space for the `T`. */
function readTime(text: string): Date {
  const iso = text.trim().replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T')
  return isIsoTime(iso) ? parseIsoTime(iso) : new Date(text)
}

/** Of seconds, milliseconds, microseconds or nanoseconds: 10^11 seconds is the year 5138, 10^11 milliseconds is 1973. */
function millisecondsOf(unix: number): number {
  if (unix < 1e11) return unix * 1e3
  if (unix < 1e14) return unix
  return unix < 1e17 ? unix / 1e3 : unix / 1e6
}
