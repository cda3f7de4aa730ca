import type { ServiceName } from '@bursar/contracts/services'
import type { Target } from '../front/target'

/** The credentials of a route: none, an access token or an API key, or both. */
export type Needs = 'nothing' | 'either' | 'both'

/** Spec 3, Authentication 1. */
const needBoth: ReadonlySet<ServiceName> = new Set(['main-api', 'log-tracker'])

/**
 * Routes without credentials, of every method unless one is named, besides `/health` (decisions, Who may call 2, and
 * First user of a participant).
 */
const open: Partial<Record<ServiceName, readonly { method?: string; path: RegExp }[]>> = {
  'identity-manager': [
    { path: /^\/auth\// },
    { method: 'POST', path: /^\/users\/register$/ },
    { path: /^\/\.well-known\/jwks\.json$/ },
  ],
  'main-api': [{ method: 'POST', path: /^\/participants$/ }],
}

/** The credentials that a request needs. */
export function needsOf({ service, path }: Target, method: string): Needs {
  if (path === '/health') return 'nothing'
  const isOpen = open[service]?.some((route) => (route.method ?? method) === method && route.path.test(path))
  if (isOpen) return 'nothing'
  return needBoth.has(service) ? 'both' : 'either'
}
