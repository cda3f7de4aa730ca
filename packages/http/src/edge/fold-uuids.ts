import { Kind, type TSchema } from '@sinclair/typebox'
import { dropInheritedNames } from './inherited-names'

/** Changes a value, or values inside it, before it is validated. */
type Fold = (value: unknown) => unknown

/**
 * UUIDs mean the same in either case, and are stored in lower case: takes the upper-case ones out of a value, wherever
 * its schema has a UUID. Null for a schema that has none. Objects and lists are changed in place.
 */
export function uuidFold(schema: TSchema | undefined): Fold | null {
  if (schema === undefined) return null
  if (schema.type === 'string') return schema.format === 'uuid' ? lowerCase : null
  if (schema.type === 'array') return inList(uuidFold(schema.items))
  if (schema.type === 'object') return inObject(schema.properties ?? {})
  // For a union it is not known which alternative is meant.
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
 * Does so with the paths and bodies of a service's requests, and drops from bodies what cleaning would leave. Its
 * routes are asked for at each route's first request: by then all are known. All methods of a path have the same
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
    dropInheritedNames(schema, body)
    return fold ? fold(body) : body
  }
}

/** Makes each name's fold once. */
function keeping(foldOf: (name: string) => Fold | null): (name: string) => Fold | null {
  const folds = new Map<string, Fold | null>()
  return (name) => {
    const known = folds.get(name)
    if (known !== undefined) return known
    const made = foldOf(name)
    folds.set(name, made)
    return made
  }
}
