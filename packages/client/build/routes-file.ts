import type { ListWay } from '../src/lists'
import { type GatewayDocument, nameOf, parametersOf, resolved, type Schema } from './gateway-document'

interface RouteFacts {
  /** `GET /core/v1/assets` */
  route: string
  path: string
  takesKey: boolean
  /** What a success is that is no JSON: a text, or a file. */
  answers: 'text' | 'blob' | null
  /** Null for what is no list with pages. */
  pagesBy: ListWay | null
}

function routesOf(document: GatewayDocument): RouteFacts[] {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const parameters = parametersOf(document, operation).map((each) => `${each.in} ${each.name}`)
      const content = operation.responses[200]?.content ?? {}
      const answer = content['application/json']?.schema
      return {
        route: `${method.toUpperCase()} ${path}`,
        path,
        takesKey: parameters.includes('header Idempotency-Key'),
        answers: otherAnswerOf(Object.keys(content)),
        pagesBy: method === 'get' && answer ? wayOf(path, parameters, fieldsOf(document, answer)) : null,
      }
    }),
  )
  return routes.sort((one, other) => (one.route < other.route ? -1 : 1))
}

/** Null for JSON, for no body, and for a stream, which has no end. */
function otherAnswerOf([type]: readonly string[]): 'text' | 'blob' | null {
  if (type === undefined || type === 'application/json' || type === 'text/event-stream') return null
  return type.startsWith('text/') ? 'text' : 'blob'
}

/** The source of src/routes.ts. */
export function routesFile(document: GatewayDocument): string {
  const routes = routesOf(document)
  const keyed = routes.filter(({ takesKey }) => takesKey).map(({ route }) => `  '${route}',`)
  const others = routes.flatMap(({ route, answers }) => (answers ? [`  '${route}': '${answers}',`] : []))
  const lists = routes.flatMap(({ path, pagesBy }) => (pagesBy ? [`  '${path}': '${pagesBy}',`] : []))
  return `// Written by bun run client:routes from the gateway's OpenAPI document; do not edit it.

/** The routes that take an idempotency key: sent again with it, they act once. */
export const keyedRoutes: ReadonlySet<string> = new Set([
${keyed.join('\n')}
])

/** The routes that answer something else than JSON. */
export const otherAnswers = {
${others.join('\n')}
} as const

/** The lists with pages, and how the next one is asked for. */
export const lists = {
${lists.join('\n')}
} as const

/** The paths of lists with pages. */
export type ListPath = keyof typeof lists
`
}

/** The source of the Python client's routes.py. */
export function pythonRoutesFile(document: GatewayDocument): string {
  const lines = routesOf(document).map(({ route, takesKey, answers, pagesBy }) => {
    const facts = [
      ...(takesKey ? ['takes_key=True'] : []),
      ...(pagesBy ? [`pages_by="${pagesBy}"`] : []),
      ...(answers ? [`answers="${answers === 'text' ? 'text' : 'bytes'}"`] : []),
    ]
    return `    "${route}": Route(${facts.join(', ')}),`
  })
  return `"""Written by bun run client:routes from the gateway's OpenAPI document; do not edit it."""

from typing import Dict, NamedTuple, Optional


class Route(NamedTuple):
    #: Whether it takes an idempotency key: sent again with it, it acts once.
    takes_key: bool = False
    #: How the next page of a list is asked for; None for what has no pages.
    pages_by: Optional[str] = None
    #: What a success is: "json", or "text", or "bytes" of a file.
    answers: str = "json"


ROUTES: Dict[str, Route] = {
${lines.join('\n')}
}
`
}

const singularOf = (noun: string): string => noun.replace(/ies$/, 'y').replace(/s$/, '')

/** The fields of an answer; of a list's, those of its records behind \`[]\`. */
function fieldsOf(document: GatewayDocument, answer: Schema): string[] {
  const { items, properties = {} } = resolved(document, answer)
  const inList = (list: Schema) => Object.keys(resolved(document, list).properties ?? {}).map((field) => `[].${field}`)
  if (items) return inList(items)
  return Object.entries(properties).flatMap(([field, schema]) => {
    const inner = resolved(document, schema).items
    return inner ? [field, ...inList(inner)] : [field]
  })
}

/** Whose pages are for staff alone: an institution gets all records, however many were asked for. */
const wholeForInstitutions = ['/wallet/v1/wallets']

/** Null for what is no list with pages, or whose records have no id of their own to go on after. */
function wayOf(path: string, parameters: readonly string[], fields: readonly string[]): ListWay | null {
  const takes = (name: string) => parameters.includes(`query ${name}`)
  if (!fields.some((field) => field.startsWith('[].')) || wholeForInstitutions.includes(path)) return null
  if (takes('after') && takes('limit')) {
    const id = ['id', `${singularOf(nameOf(path))}Id`].find((each) => fields.includes(`[].${each}`))
    return id === undefined ? null : `after ${id}`
  }
  if (takes('page') && takes('pageSize')) return 'page'
  if (!takes('offset') || !takes('limit')) return null
  return fields.includes('pagination') ? 'offsetOfPages' : 'offset'
}
