import { registerSchemaPath } from '@elysiajs/swagger/utils'
import type { TSchema } from '@sinclair/typebox'
import type { IdempotencyKeys } from '../routes/route-details'
import type { AnswerHooks, ResponseCollector } from './openapi-responses'
import type { Json, SchemaCollector } from './openapi-schema'

/** The parts of an Elysia route that the document is built from. */
export interface Route {
  method: string
  path: string
  hooks: object
}

type Input = { body?: TSchema; params?: TSchema; query?: TSchema; headers?: TSchema }

interface Hooks extends Input, AnswerHooks {
  /** Where Elysia keeps the schemas of a guard around the route. */
  standaloneValidator?: readonly Input[]
  detail?: Detail
}

interface Detail extends NonNullable<AnswerHooks['detail']> {
  hide?: boolean
  summary?: string
  description?: string
  operationId?: string
  tags?: string[]
  /** Headers that no schema of the route names. */
  parameters?: Json[]
  'x-idempotency-keys'?: IdempotencyKeys
  /** For a body that is not JSON, and that no schema of the route describes. */
  requestBody?: { content: Record<string, Json> }
}

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  examples?: unknown[]
  schema: Json
}

/** An operation and its place in the document. */
export interface Operation {
  path: string
  method: string
  operation: Json & { tags: string[] }
}

/**
 * Describes a route. The plugin collects path, parameters and body; what it gets wrong is corrected here. Null for a
 * route that is hidden or cannot be documented (wildcards, any method).
 */
export function describeRoute(route: Route, schemas: SchemaCollector, responses: ResponseCollector): Operation | null {
  const hooks = withGuards(route.hooks)
  const { hide, ...detail } = hooks.detail ?? {}
  if (hide || route.path.includes('*') || route.method === 'ALL') return null
  const isSocket = route.method === 'WS'
  const method = isSocket ? 'get' : route.method.toLowerCase()
  const keys = method === 'post' ? (detail['x-idempotency-keys'] ?? 'day') : 'none'
  const writes = method !== 'get' && (method !== 'post' || keys !== 'none')
  const { path, parameters } = collect(route.path, method, hooks, schemas)
  const all = [...parameters, ...(detail.parameters ?? []), ...(keys === 'none' ? [] : [keyParameters[keys]])]
  const { summary, description = summary ? `${summary}.` : undefined, tags = [] } = detail
  const documented = isSocket ? { detail: { responses: { 101: { description: 'The WebSocket is open' } } } } : hooks
  const failures = [
    ...(all.length > 0 || hooks.body ? [400] : []),
    ...(path.includes('{') ? [404] : []),
    ...(keys === 'none' ? [] : [409, 422]),
    ...(hooks.body ? [413] : []),
    429,
    500,
    ...(writes ? [503] : []),
  ]
  const operation = {
    ...detail,
    summary,
    description,
    tags,
    parameters: all.length > 0 ? all : undefined,
    ...requestBodyOf(hooks, schemas),
    responses: responses.of(documented, failures, { replays: keys !== 'none' }),
  }
  return { path, method, operation }
}

const keyParameters = {
  day: { $ref: '#/components/parameters/IdempotencyKey' },
  forever: { $ref: '#/components/parameters/LastingIdempotencyKey' },
}

/** The route's own schemas, completed by those of its guards. */
function withGuards(hooks: Hooks): Hooks {
  const all: Hooks = { ...hooks }
  for (const guard of hooks.standaloneValidator ?? []) {
    for (const part of ['body', 'params', 'query', 'headers'] as const) all[part] ??= guard[part]
  }
  return all
}

function collect(routePath: string, method: string, { params, query, headers }: Hooks, schemas: SchemaCollector) {
  const paths: Parameters<typeof registerSchemaPath>[0]['schema'] = {}
  const hook = { params, query, headers, parse: 'json' as const }
  registerSchemaPath({ schema: paths, method: method.toUpperCase(), path: routePath, hook, models: {} })
  const [[written, operations] = [routePath]] = Object.entries(paths)
  const path = written.replace(/(?<=.)\/$/, '')
  const named = ((operations as Record<string, Json> | undefined)?.[method]?.parameters ?? []) as Parameter[]
  const parameters: Json[] = named.map((parameter) => parameterOf(parameter, schemas))
  for (const [, name = ''] of path.matchAll(/\{([^}]+)\}/g)) {
    const isNamed = named.some((parameter) => parameter.in === 'path' && parameter.name === name)
    if (isNamed) continue
    parameters.unshift(parameterOf({ name, in: 'path', required: true, schema: { type: 'string' } }, schemas))
  }
  return { path, parameters }
}

/** A parameter with a default may be left out, though after validation it is never absent. */
function parameterOf(parameter: Parameter, schemas: SchemaCollector): Json {
  const { name, in: place, required, description = schemas.meaningOf(name), examples } = parameter
  const schema = schemas.add(parameter.schema)
  return {
    name,
    in: place,
    required: place === 'path' || (required && schema.default === undefined),
    ...(description ? { description } : {}),
    schema,
    ...(examples ? { example: examples[0] } : {}),
  }
}

function requestBodyOf({ body, detail }: Hooks, schemas: SchemaCollector): Json {
  if (body) return { requestBody: bodyOf(body, schemas) }
  const own = detail?.requestBody
  if (!own) return {}
  const content = Object.entries(own.content).map(([type, media]) => [
    type,
    { ...media, schema: schemas.add(media.schema) },
  ])
  return { requestBody: { ...own, content: Object.fromEntries(content) } }
}

/** A body without required fields may be missing (body.ts takes none for `{}`). */
function bodyOf(body: TSchema, schemas: SchemaCollector): Json {
  const isRequired = body.type !== 'object' || (body.required?.length ?? 0) > 0
  const { examples = [] } = body as { examples?: unknown[] }
  const media = { schema: schemas.add(body), ...examplesOf(examples) }
  return { required: isRequired, content: { 'application/json': media } }
}

/** Each example of a body works against what `bun run seed` makes (docs/api.md). */
function examplesOf(examples: readonly unknown[]): Json {
  if (examples.length < 2) return examples.length === 0 ? {} : { example: examples[0] }
  return { examples: Object.fromEntries(examples.map((value, index) => [`example${index + 1}`, { value }])) }
}
