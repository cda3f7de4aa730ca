import { type ServiceName, services } from '@bursar/contracts/services'
import { decode, foldPath } from './fold-path'

/** The target of a request. */
export interface Target {
  readonly service: ServiceName
  /** The path of the service's route, without version: `/assets/1`. */
  readonly path: string
  /** With its question mark; empty for none. */
  readonly query: string
}

const bySlug = new Map<string, ServiceName>(
  Object.entries(services).map(([name, { slug }]) => [slug, name as ServiceName]),
)
bySlug.delete(services.gateway.slug)

/** Paths of services for operators and other services only (decisions, Gateway). */
const closed = new Set(['internal', 'metrics', 'swagger'])
/** The version prefixes that a service removes. */
const versions = new Set(['v1', services['log-tracker'].slug])

const ledgerForm = new RegExp(`^/api/v1/${services['core-ledger'].slug}(?:/|$)`)

/**
 * The service that a URL is for: `/<slug>/v1/…`, `/<slug>/…`, and `/api/v1/core/…` of the core ledger (decisions, Who
 * may call 1). Null when no service is. Fails (400) for an ambiguous path.
 */
export function targetOf(url: string): Target | null {
  const { path, query } = partsOf(url)
  const folded = foldPath(path)
  const end = folded.indexOf('/', 1)
  const slug = end < 0 ? folded.slice(1) : folded.slice(1, end)
  const isLedgerForm = slug === 'api' && ledgerForm.test(folded)
  const service = isLedgerForm ? 'core-ledger' : bySlug.get(slug)
  if (!service) return null
  const route = isLedgerForm ? folded : end < 0 ? '/' : withoutVersion(folded.slice(end))
  return isClosed(route) ? null : { service, path: route, query }
}

/** The path for the request to the service: with its version, unless the path has one. */
export const servicePath = ({ path }: Target): string => (path.startsWith('/api/v1/') ? path : `/v1${path}`)

const withoutVersion = (path: string): string =>
  path === '/v1' ? '/' : path.startsWith('/v1/') ? path.slice('/v1'.length) : path

/** Also what begins as a version, which the service would remove once more; inside encoded slashes, too. */
function isClosed(path: string): boolean {
  const [first = ''] = decode(path.split('/', 2)[1] ?? '')
    .toLowerCase()
    .split(/[/\\]/)
  return closed.has(first) || versions.has(first)
}

/** The path and the query of a raw URL; with an invalid Host it is only a path. */
export function partsOf(url: string): { path: string; query: string } {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  if (start < 0) return { path: '/', query: '' }
  const end = url.indexOf('?', start)
  return end < 0
    ? { path: url.slice(start), query: '' }
    : { path: url.slice(start, end), query: withoutFragment(url.slice(end)) }
}

const withoutFragment = (query: string): string => {
  const end = query.indexOf('#')
  return end < 0 ? query : query.slice(0, end)
}
