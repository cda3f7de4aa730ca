import { registerSchemaPath } from '@elysiajs/swagger/utils'
import type { TSchema } from '@sinclair/typebox'
import type { AnswerHooks, ResponseCollector } from './openapi-responses'
import type { Json, SchemaCollector } from './openapi-schema'

/** What of an Elysia route the document is made from. */
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
}

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Json
}

/** An operation and its place in the document. */
export interface Operation {
  path: string
  method: string
  operation: Json & { tags: string[] }
}

/**
 * Describes a route. The plugin collects its path, parameters and body; what it writes wrongly is written anew here.
 * Null for a route that is hidden or that no document can show (wildcards, any method).
 */
export function describeRoute(route: Route, schemas: SchemaCollector, responses: ResponseCollector): Operation | null {
  const hooks = withGuards(route.hooks)
  const { hide, ...detail } = hooks.detail ?? {}
  if (hide || route.path.includes('*') || route.method === 'ALL') return null
  const isSocket = route.method === 'WS'
  const method = isSocket ? 'get' : route.method.toLowerCase()
  const { path, parameters } = collect(route.path, method, hooks, schemas)
  const { summary, description = summary ? `${summary}.` : undefined, tags = [] } = detail
  const told = isSocket ? { detail: { responses: { 101: { description: 'The WebSocket is open' } } } } : hooks
  const failures = [
    ...(parameters.length > 0 || hooks.body ? [400] : []),
    ...(path.includes('{') ? [404] : []),
    ...(method === 'post' ? [409, 422] : []),
    ...(hooks.body ? [413] : []),
    500,
  ]
  const operation = {
    ...detail,
    operationId: detail.operationId ?? operationIdOf(method, path),
    summary,
    description,
    tags,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hooks.body ? { requestBody: bodyOf(hooks.body, schemas) } : {}),
    responses: responses.of(told, failures),
  }
  return { path, method, operation }
}

/** The route's own schemas, and of those around it what it has not. */
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
    if (!isNamed) parameters.unshift({ name, in: 'path', required: true, schema: { type: 'string' } })
  }
  if (method === 'post') parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  return { path, parameters }
}

/** A parameter with a default may be left out, though after validation it is never absent. */
function parameterOf(parameter: Parameter, schemas: SchemaCollector): Json {
  const { name, in: place, required, description } = parameter
  const schema = schemas.add(parameter.schema)
  return {
    name,
    in: place,
    required: place === 'path' || (required && schema.default === undefined),
    ...(description ? { description } : {}),
    schema,
  }
}

/** A body without required fields may be missing (body.ts takes none for `{}`). */
function bodyOf(body: TSchema, schemas: SchemaCollector): Json {
  const isRequired = body.type !== 'object' || (body.required?.length ?? 0) > 0
  return { required: isRequired, content: { 'application/json': { schema: schemas.add(body) } } }
}

/** `post`, `/assets/{id}/sync-now` → `postAssetsByIdSyncNow` */
function operationIdOf(method: string, path: string): string {
  const words = path.replaceAll('{', 'by-').split(/[^A-Za-z0-9]+/)
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
