import { fail } from '../errors'
import { decode } from '../front/fold-path'
import type { Target } from '../front/target'
import { open, type Rule } from './rules'
import { table } from './table'

/** A rule with the values of its path's parameters. */
export interface Found {
  readonly rule: Rule
  /** As in the table: `PUT /accounts/:id`. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
}

interface Row {
  readonly route: string
  readonly method: string
  readonly pattern: readonly string[]
  readonly rule: Rule
}

function toRow([name, rule]: [string, Rule]): Row {
  const [method = '', path = ''] = name.split(' ')
  return { route: name, method, pattern: path.split('/').slice(1), rule }
}

const byParameters = (a: Row, b: Row): number => (shapeOf(a) < shapeOf(b) ? -1 : 1)
const shapeOf = ({ pattern }: Row): string => pattern.map((part) => (part.startsWith(':') ? '1' : '0')).join('')

/**
 * The rows of each service, all of which have /health. Fixed paths before those with parameters: `omnibus` in
 * `/accounts/omnibus` is not an id.
 */
const rows = new Map<string, readonly Row[]>(
  Object.entries(table).map(([service, rules]) => {
    const all = { 'GET /health': open, ...rules }
    return [service, Object.entries(all).map(toRow).sort(byParameters)]
  }),
)

/** The rule of a request. Fails: 404 for a path not in the table, 405 for a method not in it. HEAD is GET. */
export function findRule({ service, path }: Target, method: string): Found {
  const segments = path.split('/').slice(1)
  const matching = (rows.get(service) ?? []).filter(({ pattern }) => matches(pattern, segments))
  const asked = method === 'HEAD' ? 'GET' : method
  const row = matching.find((each) => each.method === asked)
  if (row) return { rule: row.rule, route: row.route, params: paramsOf(row.pattern, segments) }
  if (matching.length === 0) throw fail('NOT_FOUND')
  const allowed = [...new Set(matching.map((each) => each.method))].sort().join(', ')
  throw fail('METHOD_NOT_ALLOWED', { headers: { allow: allowed } })
}

const matches = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length && pattern.every((part, i) => part.startsWith(':') || part === segments[i])

const paramsOf = (pattern: readonly string[], segments: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pattern.flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), decode(segments[i] ?? '')]] : [])),
  )
