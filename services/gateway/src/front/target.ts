import { type ServiceName, services } from '@bursar/contracts/services'
import { decode, foldPath } from './fold-path'

/** Where a request goes. */
export interface Target {
  readonly service: ServiceName
  /** The path as the service's routes have it, without version: `/assets/1`. */
  readonly path: string
  /** With its question mark; empty for none. */
  readonly query: string
}

const bySlug = new Map<string, ServiceName>(
  Object.entries(services).map(([name, { slug }]) => [slug, name as ServiceName]),
)
bySlug.delete(services.gateway.slug)

/** What services have for their operators and for each other alone (decisions, Gateway). */
const closed = new Set(['internal', 'metrics', 'swagger'])
/** What a service takes off the front of a path. */
const versions = new Set(['v1', services['log-tracker'].slug])

/**
 * The service that a URL is for: `/<slug>/v1/…`, `/<slug>/…`, and `/api/v1/core/…` of the core ledger (decisions, Who may
 * call 1). Null when no service is. Fails (400) for a path that cannot be read in one way alone.
 */
export function targetOf(url: string): Target | null {
  const { path, query } = partsOf(url)
  const [, slug = '', ...rest] = foldPath(path).split('/')
  const isLedgerForm = slug === 'api' && rest[0] === 'v1' && rest[1] === services['core-ledger'].slug
  const service = isLedgerForm ? 'core-ledger' : bySlug.get(slug)
  if (!service) return null
  const segments = isLedgerForm ? [slug, ...rest] : withoutVersion(rest)
  return isClosed(segments) ? null : { service, path: `/${segments.join('/')}`, query }
}

/** The path to ask the service for: with its version, except where the path has its own. */
export const servicePath = ({ path }: Target): string => (path.startsWith('/api/v1/') ? path : `/v1${path}`)

const withoutVersion = (segments: string[]): string[] => (segments[0] === 'v1' ? segments.slice(1) : segments)

/** Looks behind all that a service could take for a version, and into encoded slashes. */
function isClosed(segments: readonly string[]): boolean {
  const pieces = segments.flatMap((segment) => decode(segment).toLowerCase().split(/[/\\]/))
  const first = pieces.find((piece) => !versions.has(piece))
  return first !== undefined && closed.has(first)
}

/** The path and the query of a URL as it came; without a Host that can be one it is a path alone. */
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
