import { type ServiceName, services } from '@bursar/contracts/services'
import { needsOf } from '../access/needs'
import { tokenPath } from '../oauth/token-endpoint'
import { credentialsOf } from './credentials-of'
import { gatewayResponses, withGatewayResponses } from './gateway-responses'
import type { Json, OpenApi, Operation } from './open-api'

const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The accessToken of POST /identity/v1/auth/login',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description:
      'Of POST /main/v1/participants/api-key. Once a participant has one, the main API and the log tracker require it of its users ' +
      'besides the token; users without a participant have none',
  },
  clientToken: {
    type: 'oauth2',
    description:
      'Client credentials (RFC 6749, 4.4): client_id is the participant’s id, client_secret its API key, by Basic or in the form. ' +
      'The token lives ten minutes, and may what the key may',
    flows: { clientCredentials: { tokenUrl: tokenPath, scopes: {} } },
  },
}

interface Source {
  readonly name: ServiceName
  readonly document: OpenApi
}

/** Gives documents of services as one, as the text of its JSON. */
type Merging = (sources: readonly Source[], title: string) => string

/**
 * Merges anew only when a document of that title has changed: all of them take a tenth of a second, and anybody may ask for
 * them.
 */
export function createMerging(settings: { version: string; roles: boolean }): Merging {
  const last = new Map<string, { sources: readonly Source[]; text: string }>()
  return (sources, title) => {
    const known = last.get(title)
    if (known && areSame(known.sources, sources)) return known.text
    const text = JSON.stringify(mergeDocuments(sources, { ...settings, title }))
    last.set(title, { sources, text })
    return text
  }
}

const areSame = (some: readonly Source[], others: readonly Source[]): boolean =>
  some.length === others.length && some.every(({ document }, i) => document === others[i]?.document)

/**
 * The documents of services as one, as callers of the gateway see them: with its paths, its credentials and its own
 * errors. Equal names of several services are prefixed with the service's slug.
 */
function mergeDocuments(
  sources: readonly Source[],
  { version, title, roles }: { version: string; title: string; roles: boolean },
): Json {
  const paths: OpenApi['paths'] = {}
  const components: Record<string, Json> = gatewayResponses()
  const tags: NonNullable<OpenApi['tags']> = []
  const webhooks: NonNullable<OpenApi['webhooks']> = {}
  for (const { name, document } of sources) {
    const own = renamed(document, services[name].slug)
    for (const [path, methods] of Object.entries(own.paths)) {
      paths[publicPath(name, path)] = Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [method, published(name, path, method, operation, roles)]),
      )
    }
    for (const [kind, named] of Object.entries(own.components)) merge(components, kind, named)
    tags.push(...(own.tags ?? []))
    Object.assign(webhooks, own.webhooks)
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description: 'The services of the platform, as they are called through the gateway.',
      contact: { name: 'The operators of this Bursar' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The gateway' }],
    tags,
    paths,
    ...(Object.keys(webhooks).length > 0 ? { webhooks } : {}),
    components: { ...components, securitySchemes },
  }
}

export const wholeTitle = 'Bursar'

function merge(components: Record<string, Json>, kind: string, named: Json): void {
  components[kind] = { ...(Object.hasOwn(components, kind) ? components[kind] : {}), ...named }
}

/** `/api/v1/core/…` is the same outside. */
const publicPath = (name: ServiceName, path: string): string =>
  path.startsWith('/api/v1/') ? path : `/${services[name].slug}/v1${path}`

function published(name: ServiceName, path: string, method: string, operation: Operation, roles: boolean): Operation {
  const asked = { service: name, path, method: method.toUpperCase() }
  const needs = needsOf({ ...asked, query: '' }, asked.method)
  const isForUsers = name === 'identity-manager' && '401' in operation.responses
  return {
    ...operation,
    security: credentialsOf({ ...asked, isForUsers, roles }),
    responses: withGatewayResponses(operation.responses, { needs, roles }),
  }
}

/** The document with every component and tag named after the service, and every reference to them. */
function renamed(document: OpenApi, slug: string): OpenApi {
  const reference = /"#\/components\/(\w+)\/([^"/]+)"/g
  const text = JSON.stringify(document).replaceAll(reference, `"#/components/$1/${slug}.$2"`)
  const { paths, components, tags = [], webhooks = {} } = JSON.parse(text) as OpenApi
  return {
    webhooks,
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (operation) => ({ ...operation, tags: operation.tags?.map((tag) => tagOf(slug, tag)) ?? [] })),
    ),
    components: mapValues(components, (named) =>
      Object.fromEntries(Object.entries(named).map(([key, value]) => [`${slug}.${key}`, value])),
    ),
    tags: tags.map((tag) => ({ ...tag, name: tagOf(slug, tag.name) })),
  }
}

const tagOf = (slug: string, tag: string): string => `${slug}: ${tag}`

const mapValues = <V, R>(record: Record<string, V>, change: (value: V) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
