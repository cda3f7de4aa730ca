import { Kind, type TSchema } from '@sinclair/typebox'
import { dropIgnored } from './ignored-fields'

/** Changes a value, or values inside it, before it is validated. */
type Fold = (value: unknown) => unknown

/**
 * UUIDs are case-insensitive and stored in lower case: converts upper-case ones in a value to lower case, wherever
 * its schema has a UUID. Null for a schema that has none. Objects and lists are changed in place.
 */
export function uuidFold(schema: TSchema | undefined): Fold | null {
  if (schema === undefined) return null
  if (schema.type === 'string') return schema.format === 'uuid' ? lowerCase : null
  if (schema.type === 'array') return inList(uuidFold(schema.items))
  if (schema.type === 'object') return inObject(schema.properties ?? {})
  // Which alternative of a union applies is unknown.
  const [only, ...others] = ((schema.anyOf ?? []) as TSchema[]).filter((each) => each[Kind] !== 'Null')
  return others.length === 0 ? uuidFold(only) : null
}

const lowerCase: Fold = (value) => (typeof value === 'string' ? value.toLowerCase() : value)

function inList(fold: Fold | null): Fold | null {
  if (!fold) return null
  return (value) => {
    if (Array.isArray(value)) for (const [place, item] of value.entries()) value[place] = fold(item)
    return value
  }
}

function inObject(properties: Record<string, TSchema>): Fold | null {
  const folds = Object.entries(properties).flatMap(([name, schema]): [string, Fold][] => {
    const fold = uuidFold(schema)
    return fold ? [[name, fold]] : []
  })
  if (folds.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const record = value as Record<string, unknown>
    for (const [name, fold] of folds) {
      if (Object.hasOwn(record, name)) record[name] = fold(record[name])
    }
    return value
  }
}

interface Route {
  method: string
  path: string
  hooks: { params?: unknown; body?: unknown }
}

/**
 * Applies this to the paths and bodies of a service's requests, and drops from bodies what cleaning would leave. Its
 * routes are read at each route's first request, when all are registered. All methods of a path have the same
 * parameters.
 */
export function uuidFolds(routes: () => readonly Route[]) {
  const ofPath = keeping((path) => {
    const route = routes().find((route) => route.path === path && route.hooks.params)
    return uuidFold(route?.hooks.params as TSchema | undefined)
  })
  const ofBody = keeping((name) => {
    const route = routes().find(({ method, path }) => `${method} ${path}` === name)
    return bodyFold(route?.hooks.body as TSchema | undefined)
  })
  return (request: Request, path: string, params: unknown, body: unknown): void => {
    ofPath(path)?.(params)
    if (body !== undefined) ofBody(`${request.method} ${path}`)?.(body)
  }
}

function bodyFold(schema: TSchema | undefined): Fold | null {
  if (schema === undefined) return null
  const fold = uuidFold(schema)
  return (body) => {
    dropIgnored(schema, body)
    return fold ? fold(body) : body
  }
}

/** Builds the fold of each name once. */
function keeping(foldOf: (name: string) => Fold | null): (name: string) => Fold | null {
  const folds = new Map<string, Fold | null>()
  return (name) => folds.getOrInsertComputed(name, foldOf)
}
