import type { TSchema } from '@sinclair/typebox'
import { failCommon } from '../errors/errors'

interface Route {
  method: string
  path: string
  hooks: { query?: unknown }
}

/**
 * Refuses a query parameter that is given twice where one is expected: which of the two counts would be anybody's guess
 * (decisions, Gateway). Keys that the route does not know are ignored, as always.
 */
export function repeatedKeyGuard(routes: () => readonly Route[]) {
  return (method: string, route: string, url: string): void => {
    const start = url.indexOf('?')
    // One pair cannot repeat a key.
    if (start < 0 || !url.includes('&', start)) return
    const seen = new Set<string>()
    for (const key of new URLSearchParams(url.slice(start)).keys()) {
      if (seen.has(key) && takesOne(routes(), method, route, key)) {
        throw failCommon('INVALID_REQUEST', { message: `${key} must be given once` })
      }
      seen.add(key)
    }
  }
}

function takesOne(routes: readonly Route[], method: string, path: string, key: string): boolean {
  const route = routes.find((each) => each.path === path && each.method === method)
  const schema = (route?.hooks.query as TSchema | undefined)?.properties?.[key] as TSchema | undefined
  if (!schema) return false
  return ![schema, ...((schema.anyOf ?? []) as TSchema[])].some(({ type }) => type === 'array')
}
