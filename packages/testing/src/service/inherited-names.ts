import type { Requests } from './requests'

/** Properties that every object, function or array inherits: a lookup by a caller’s text must not find them. */
const names = [
  ...Object.getOwnPropertyNames(Object.prototype),
  ...['prototype', 'length', 'name', 'arguments', 'caller', 'call', 'apply', 'bind'],
]

type Json = Record<string, unknown>
interface Service {
  /** Gives the OpenAPI document. */
  get(path: string): Promise<{ body: Json & { paths: Record<string, unknown> } }>
  ask: Requests['ask']
}

interface Operation {
  parameters?: { $ref?: string; name: string; in: string; examples?: unknown }[]
  requestBody?: { content?: Record<string, { schema?: Json }> }
}

/**
 * Sends every operation of a service's OpenAPI document each such name in each parameter and in each text of the body,
 * and as a field of the body. Returns the requests at which the service itself fails; unavailable peers do not count.
 * `endless`: the paths of streams, which are left out.
 */
export async function brokenByInheritedNames(
  service: Service,
  headers: Record<string, string>,
  endless: readonly string[] = [],
): Promise<string[]> {
  const document = (await service.get('/swagger/json')).body
  const broken: string[] = []
  for (const [path, operations] of Object.entries(document.paths as Record<string, Record<string, Operation>>)) {
    if (endless.includes(path)) continue
    for (const [method, operation] of Object.entries(operations)) {
      for (const { url, body } of requestsOf(document, path, operation)) {
        const { status } = await service.ask(method.toUpperCase(), url, body, headers)
        if (status === 500 || status === 502) broken.push(`${method} ${url} ${JSON.stringify(body) ?? ''}: ${status}`)
      }
    }
  }
  return broken
}

function* requestsOf(document: Json, path: string, operation: Operation): Generator<{ url: string; body?: unknown }> {
  const parameters = operation.parameters ?? []
  const inPath = parameters.filter((each) => each.in === 'path').map((each) => each.name)
  const inQuery = parameters.filter((each) => each.in === 'query').map((each) => each.name)
  const known = (except?: string, name = '') =>
    path.replaceAll(/\{([^}]+)\}/g, (_, key: string) => encodeURIComponent(key === except ? name : someId))
  const example = exampleOf(document, operation.requestBody?.content?.['application/json']?.schema)
  const usual = example === undefined ? {} : { body: example }
  for (const name of names) {
    for (const key of inPath) yield { url: known(key, name), ...usual }
    for (const key of [...inQuery, name]) yield { url: `${known()}?${new URLSearchParams({ [key]: name })}`, ...usual }
    if (example === undefined) continue
    for (const body of changed(example, name)) yield { url: known(), body }
  }
}

const someId = '01a1fe8f-0000-7000-8000-000000000000'

/** The first example of a body's schema; undefined where there is no body. */
function exampleOf(document: Json, schema: Json | undefined): Json | undefined {
  const path = typeof schema?.$ref === 'string' ? schema.$ref.split('/').slice(1) : []
  const whole = path.reduce<Json | undefined>((at, key) => at?.[key] as Json | undefined, document)
  const examples = (path.length > 0 ? whole : schema)?.examples
  return Array.isArray(examples) ? (examples[0] as Json) : undefined
}

/** The value with the name in place of each of its texts, one at a time, and as a field of each of its objects. */
function* changed(value: unknown, name: string): Generator<unknown> {
  if (typeof value === 'string') yield name
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) for (const each of changed(item, name)) yield value.with(i, each)
    return
  }
  // Parsed from JSON, so that `__proto__` is a field.
  yield JSON.parse(
    `${JSON.stringify(value).replace(/\}$/, Object.keys(value).length > 0 ? ',' : '')}"${name}":"${name}"}`,
  )
  for (const [key, item] of Object.entries(value)) {
    for (const each of changed(item, name)) yield { ...value, [key]: each }
  }
}
