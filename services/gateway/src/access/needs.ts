import type { ServiceName } from '@bursar/contracts/services'
import type { Target } from '../front/target'

/** What a route asks for: nothing, an access token or an API key, or both of them. */
export type Needs = 'nothing' | 'either' | 'both'

/** Spec 3, Authentication 1. */
const needBoth: ReadonlySet<ServiceName> = new Set(['main-api', 'log-tracker'])

/** Routes without credentials, of every method where none is named, besides `/health` (decisions, Who may call 2, and First user of a participant). */
const open: Partial<Record<ServiceName, readonly { method?: string; path: RegExp }[]>> = {
  'identity-manager': [
    { path: /^\/auth\// },
    { method: 'POST', path: /^\/users\/register$/ },
    { path: /^\/\.well-known\/jwks\.json$/ },
  ],
  'main-api': [{ method: 'POST', path: /^\/participants$/ }],
}

/** What is asked of a request. */
export function needsOf({ service, path }: Target, method: string): Needs {
  if (path === '/health') return 'nothing'
  const isOpen = open[service]?.some((route) => (route.method ?? method) === method && route.path.test(path))
  if (isOpen) return 'nothing'
  return needBoth.has(service) ? 'both' : 'either'
}
