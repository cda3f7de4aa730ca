import { services } from '@bursar/contracts/services'
import { AppError } from '@bursar/http'
import { secureArrivals } from '../console-sessions/arrivals'
import { mustLogIn } from '../console-sessions/must-log-in'
import type { GatewayDeps } from '../deps'
import { foldPath } from '../front/fold-path'
import { partsOf } from '../front/target'
import { handled } from '../proxy/handled'
import type { AnswerForService } from '../proxy/proxy'
import { serveFiles } from './files/serve-files'
import { passOn } from './pass-on'

const api = '/console/api'

/** The path segments after `/console/api/` that name a service. */
const slugs = new Set<string>([...Object.values(services).map(({ slug }) => slug), 'api'])
slugs.delete(services.gateway.slug)

/**
 * Answers requests of the operators' console: its page, its files, and its calls to services. Its calls to the gateway
 * itself go to the router, which reads the connection from `arrivals`: undefined for these and all other requests.
 */
export function createConsole(deps: GatewayDeps): AnswerForService {
  const isSecure = secureArrivals(deps.config.trustedProxies)
  return (request, { peer }) => {
    const found = partsIn(request.url)
    if (found === null) return undefined
    const { path, query } = found
    if (!isBelow(path, api)) {
      return handled(deps, request, '/console/*', async (context) => {
        const answer = await serveFiles(deps.consoleBuild, request, path, () => mustLogIn(deps, request, path))
        answer.headers.set('x-request-id', context.id)
        return answer
      })
    }
    const address = deps.callerAddress(peer, request.headers.get('x-forwarded-for'))
    const arrival = { address, isSecure: isSecure(request, peer) }
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

/** The version prefix that the router ignores: arrivals are stored for requests below it, too. */
const version = '/v1'

/** The normalised path and the query of a console request. An invalid path is refused later. */
function partsIn(url: string): { path: string; query: string } | null {
  const { path, query } = partsOf(url)
  if (!path.includes('console')) return null
  try {
    const folded = foldPath(path)
    const own = isBelow(folded, version) ? folded.slice(version.length) : folded
    return isBelow(own, '/console') ? { path: own, query } : null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`)
