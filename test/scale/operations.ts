import type { Requests } from '@bursar/testing/service'

/** What is known of a query parameter. */
export interface Parameter {
  name: string
  type: string | undefined
  words: readonly string[]
  maximum: number | undefined
}

/** A GET of a service. */
export interface Operation {
  /** `GET /accounts/{id}`. */
  name: string
  path: string
  /** Names of the path parameters. */
  inPath: string[]
  query: Parameter[]
}

type Json = Record<string, unknown>

/** A route of Elysia. */
export interface AppRoute {
  method: string
  path: string
  hooks?: { query?: { properties?: Record<string, Json> } }
}

/**
 * Every GET of a service: those of its OpenAPI document, and the internal ones, which it leaves out. `routes`: of its app.
 * Throws if the document has one that the app does not.
 */
export async function operationsOf(service: Requests, routes: readonly AppRoute[]): Promise<Operation[]> {
  const gets = routes.filter(({ method, path }) => method === 'GET' && !isOfEveryService.test(path))
  const all = gets.map(toOperation)
  const { paths = {} } = ((await service.get('/swagger/json')).body ?? {}) as { paths?: Record<string, Json> }
  for (const [path, methods] of Object.entries(paths)) {
    if (!('get' in methods) || isOfEveryService.test(path)) continue
    if (!all.some((each) => each.path === path)) throw new Error(`${path} is in the document and not in the app`)
  }
  return all
}

/** The pages that no service's tables are read for, and the outbox's and the queues' figures. */
const isOfEveryService = /^\/($|swagger|health|metrics|ready|live|internal\/operations)/

function toOperation({ path, hooks }: AppRoute): Operation {
  const shown = path.replace(/(.)\/$/, '$1').replaceAll(/:(\w+)/g, '{$1}')
  return {
    name: `GET ${shown}`,
    path: shown,
    inPath: [...shown.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    query: Object.entries(hooks?.query?.properties ?? {}).map(([name, schema]) => ({
      name,
      type: schema.type as string | undefined,
      words: wordsOf(schema),
      maximum: schema.maximum as number | undefined,
    })),
  }
}

/** The words that a parameter takes, or the items of one that takes several. */
function wordsOf(schema: Json): string[] {
  const { enum: words, items, anyOf } = schema as { enum?: string[]; items?: Json; anyOf?: { const?: string }[] }
  if (words) return words
  if (items) return wordsOf(items)
  return (anyOf ?? []).flatMap((each) => (typeof each.const === 'string' ? [each.const] : []))
}
