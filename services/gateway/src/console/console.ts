import { services } from '@bursar/contracts/services'
import { AppError } from '@bursar/http'
import { type Arrival, secureArrivals } from '../console-sessions/arrivals'
import type { GatewayDeps } from '../deps'
import { foldPath } from '../front/fold-path'
import { partsOf } from '../front/target'
import { handled } from '../proxy/handled'
import type { AnswerForService, Connection } from '../proxy/proxy'
import { serveFiles } from './files/serve-files'
import { passOn } from './pass-on'

const api = '/console/api'

/** What stands behind `/console/api/` and is for a service. */
const slugs = new Set<string>([...Object.values(services).map(({ slug }) => slug), 'api'])
slugs.delete(services.gateway.slug)

/**
 * Answers what is for the operators' console: its page and its files, and what it asks services. What it asks the gateway
 * itself is the router's, which finds out by `arrivals` how the request came. Undefined for that, and for all else.
 */
export function createConsole(deps: GatewayDeps): AnswerForService {
  const isSecure = secureArrivals(deps.config.trustedProxies)
  const arrivalOf = (request: Request, { peer }: Connection): Arrival => ({
    address: deps.callerAddress(peer, request.headers.get('x-forwarded-for')),
    isSecure: isSecure(request, peer),
  })
  return (request, connection) => {
    const found = partsIn(request.url)
    if (found === null) return undefined
    const { path, query } = found
    if (!isBelow(path, api)) {
      return handled(deps, request, '/console/*', async (context) => {
        const answer = await serveFiles(deps.consoleBuild, request, path)
        answer.headers.set('x-request-id', context.id)
        return answer
      })
    }
    const arrival = arrivalOf(request, connection)
    const rest = path.slice(api.length)
    const [, slug = ''] = rest.split('/')
    if (slugs.has(slug)) {
      return handled(deps, request, `${api}/${slug}/*`, (context) =>
        passOn(deps, { request, url: rest + query, arrival, context }),
      )
    }
    deps.arrivals.set(request, arrival)
    return undefined
  }
}

/** The path and query of what is the console's, the path as it is decided on. One that cannot be read is refused later. */
function partsIn(url: string): { path: string; query: string } | null {
  const { path, query } = partsOf(url)
  if (!path.includes('console')) return null
  try {
    const folded = foldPath(path)
    return isBelow(folded, '/console') ? { path: folded, query } : null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`)
