import { fieldWords } from '@bursar/contracts/field-words'
import { services } from '@bursar/contracts/services'
import type { TSchema } from '@sinclair/typebox'
import type { ErrorShape } from '../errors/error-shapes'
import { titleOf } from './docs-page'
import { describeRoute, type Route } from './openapi-operation'
import { collectResponses } from './openapi-responses'
import { collectSchemas, type Json, type SchemaCollector } from './openapi-schema'

/** The parts of a service that its document describes. */
export interface Documented {
  /** The service's folder name. */
  name: string
  version: string
  /** One sentence about the service. */
  description: string
  /** Which of the three error bodies it answers with. */
  shape: ErrorShape
  /** What each tag of its routes is about. */
  tags?: Readonly<Record<string, string>>
  /** The webhooks that it sends, by event type. */
  webhooks?: readonly { type: string; description: string; body: TSchema; example: unknown }[]
  /** The possible prefixes of each path, longest first. */
  prefixes: readonly string[]
}

/**
 * A service's OpenAPI document, built from its routes. Version 3.1.0, whose schemas are JSON Schema, and can express
 * ours (`null`, `const`).
 */
export function openApiDocument(service: Documented, routes: readonly Route[]): Json {
  const { name, version, description, shape } = service
  const schemas = collectSchemas(fieldWords)
  const responses = collectResponses(shape, schemas)
  const methodsOf = new Map<string, Json>()
  const tags = new Set<string>()
  for (const route of routes) {
    const described = describeRoute(route, schemas, responses)
    if (!described) continue
    const { path, method, operation } = described
    methodsOf.set(path, { ...methodsOf.get(path), [method]: operation })
    for (const tag of operation.tags) tags.add(tag)
  }
  const paths: Json = Object.fromEntries(methodsOf)
  return {
    openapi: '3.1.0',
    info: {
      title: titleOf(name),
      version,
      description,
      contact: { name: 'The operators of this Bursar' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: serversOf(service),
    // The services trust the gateway in front of them and ask for no credentials themselves.
    security: [],
    tags: [...tags].sort().map((tag) => ({ name: tag, description: tagDescription(service, tag) })),
    paths,
    ...webhooksOf(service, schemas),
    components: { schemas: schemas.named, responses: responses.shared, ...commonComponents(paths) },
  }
}

/** OpenAPI 3.1: requests that a receiver must expect. */
function webhooksOf({ webhooks = [] }: Documented, schemas: SchemaCollector): { webhooks?: Json } {
  if (webhooks.length === 0) return {}
  const described = webhooks.map(({ type, description, body, example }) => {
    const content = { 'application/json': { schema: schemas.add(body), example } }
    const responses = { '2XX': { description: 'Taken; any other answer has it sent again' } }
    const operationId = `on.${type}`.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())
    const requestBody = { required: true, content }
    // A receiver asks for no credentials: the signature proves who sends.
    const post = { operationId, summary: description, security: [], parameters: signedHeaders, requestBody, responses }
    return [type, { post }]
  })
  return { webhooks: Object.fromEntries(described) }
}

/** Standard Webhooks. */
const signedHeaders = Object.entries({
  'webhook-id': 'The delivery: the same for each of its attempts',
  'webhook-timestamp': 'When this attempt was sent, in seconds since 1970: refuse one of more than five minutes ago',
  'webhook-signature':
    'One or several, with spaces between: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64',
}).map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }))

const tagDescription = ({ tags = {} }: Documented, tag: string): string | undefined =>
  Object.hasOwn(tags, tag) ? tags[tag] : tag === 'Operation' ? 'For those who run the service' : undefined

const slugs = new Map<string, string>(Object.entries(services).map(([name, { slug }]) => [name, slug]))

/** Relative to the host that served the document: every prefix, none, and the service's place behind the gateway. */
function serversOf({ name, prefixes }: Documented): Json[] {
  const slug = slugs.get(name)
  const servers = [...prefixes, '/'].map((url) => ({ url, description: 'This service' }))
  const gateway = `/${slug}/v1`
  if (!slug || prefixes.includes(gateway)) return servers
  return [...servers, { url: gateway, description: 'Through the gateway, which asks for credentials' }]
}

/** The headers and parameters that operations share, as far as these paths name them. */
function commonComponents(paths: Json): Json {
  const text = JSON.stringify(paths)
  const used = Object.entries(parameters).filter(([name]) => text.includes(`"#/components/parameters/${name}"`))
  return { headers, ...(used.length > 0 ? { parameters: Object.fromEntries(used) } : {}) }
}

const header = (description: string, type: 'string' | 'integer' = 'string'): Json => ({ description, schema: { type } })

const headers = {
  RequestId: header('The caller’s own x-request-id, or the one that this service gave the request'),
  IdempotentReplayed: header('`true` where the answer is the first one of this Idempotency-Key, sent again'),
  RetryAfter: header('How many seconds to wait before the next request', 'integer'),
  RateLimit: header('What is left of the caller’s limit, and in how many seconds it is renewed'),
  RateLimitPolicy: header('The caller’s limit, and the seconds that it counts for'),
}

const keyParameter = (kept: string): Json => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: [
    'Makes the request repeatable: a repeat gets the first answer, with `Idempotent-Replayed: true`, and acts once.',
    'A key belongs to its caller, the method and the path; another caller’s same word is another key.',
    kept,
    'With another body or query the key is refused (422), while its first request is under way as well (409, with Retry-After).',
    'A request that failed leaves no trace: it may be repeated with its key.',
    'X-Idempotency-Key is taken as well.',
  ].join(' '),
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
})

const parameters = {
  IdempotencyKey: keyParameter('It is kept for 24 hours.'),
  LastingIdempotencyKey: keyParameter('It is kept forever, for the request moves money.'),
}
