import type { TSchema } from '@sinclair/typebox'
import { failCommon } from '../errors/errors'

interface Route {
  method: string
  path: string
  hooks: { query?: unknown }
}

/**
 * Refuses query parameters that are given twice where one is expected, and names them all: it would be unclear which
 * value counts (decisions, Gateway). Keys that the route does not know are ignored, as always.
 */
export function repeatedKeyGuard(routes: () => readonly Route[]) {
  return (method: string, route: string, url: string): void => {
    const start = url.indexOf('?')
    // A single pair cannot repeat a key.
    if (start < 0 || !url.includes('&', start)) return
    if (plainKeysOnce(url, start + 1)) return
    const seen = new Set<string>()
    const repeated = new Set<string>()
    for (const key of new URLSearchParams(url.slice(start)).keys()) {
      if (seen.has(key) && !repeated.has(key) && takesOne(routes(), method, route, key)) repeated.add(key)
      seen.add(key)
    }
    if (repeated.size === 0) return
    const fields = [...repeated].map((field) => ({ field, message: `${field} must be given once` }))
    throw failCommon('INVALID_REQUEST', { message: fields.map(({ message }) => message).join('; '), fields })
  }
}

/** True if no key occurs twice and none is encoded, which could hide a repeat. */
function plainKeysOnce(url: string, start: number): boolean {
  const keys: string[] = []
  for (const pair of url.slice(start).split('&')) {
    const end = pair.indexOf('=')
    const key = end < 0 ? pair : pair.slice(0, end)
    if (keys.includes(key) || !plainKey.test(key)) return false
    // Comparing more with each other would take too long.
    if (keys.push(key) > 16) return false
  }
  return true
}
const plainKey = /^[A-Za-z0-9_.[\]-]+$/

function takesOne(routes: readonly Route[], method: string, path: string, key: string): boolean {
  const route = routes.find((each) => each.path === path && each.method === method)
  const schema = (route?.hooks.query as TSchema | undefined)?.properties?.[key] as TSchema | undefined
  if (!schema) return false
  return ![schema, ...((schema.anyOf ?? []) as TSchema[])].some(({ type }) => type === 'array')
}
