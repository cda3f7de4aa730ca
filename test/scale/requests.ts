import type { Operation, Parameter } from './operations'

/** Values of the parameters, by name, those that find most first; `GET /accounts q` for one operation alone. */
export type Values = Readonly<Record<string, readonly string[]>>

/** A request of an operation. */
export interface Asked {
  operation: Operation
  query: Record<string, string>
  url: string
  /** Whether it is for a deep page, and how far the next ones may be. */
  isDeep: boolean
}

const orders = ['order', 'sortBy', 'sortOrder', 'sortDirection']
const sizes = ['limit', 'pageSize', 'points']
const places = ['offset', 'page']
const cursors = ['after', 'before', 'lastEventId']
const others = ['count', 'createIfNotExists']
const notFilters = new Set([...orders, ...sizes, ...places, ...cursors, ...others])
/** The limit for lists without a longest page. */
const usualSize = 1000
/** The deepest offset. */
const farthest = 100_000

/** Search texts: short, with the wildcards of LIKE, long, and without a hit. */
const typed = ['a', '%', '_', 'x'.repeat(200), 'nothing-has-this']
const searches = new Set(['q', 'search', 'name', 'institutionName', 'routerData', 'reference'])

const filtersOf = ({ query }: Operation): Parameter[] => query.filter(({ name }) => !notFilters.has(name))
export const has = ({ query }: Operation, name: string): boolean => query.some((each) => each.name === name)

/** Parameters without a value: their operations cannot be requested. */
export const unknownTo = (operation: Operation, values: Values): string[] =>
  [...operation.inPath, ...filtersOf(operation).map(({ name }) => name)].filter((name) => {
    const filter = operation.query.find((each) => each.name === name)
    return filter ? valuesOf(operation, filter, values).length === 0 : givenTo(operation, name, values).length === 0
  })

const givenTo = (operation: Operation, name: string, values: Values): readonly string[] =>
  values[`${operation.name} ${name}`] ?? values[name] ?? []

function valuesOf(operation: Operation, { name, type, words }: Parameter, values: Values): readonly string[] {
  const given = givenTo(operation, name, values)
  if (searches.has(name)) return [...given, ...typed]
  if (given.length > 0 || name in values) return given
  return words.length > 0 ? words : type === 'boolean' ? ['true', 'false'] : []
}

/** The values of a filter in a pair: what finds most, and what finds least. */
function twoOf(operation: Operation, filter: Parameter, values: Values): string[] {
  const all = valuesOf(operation, filter, values)
  const given = givenTo(operation, filter.name, values)
  return [...new Set([all[0], (given.length > 1 ? given : all).at(searches.has(filter.name) ? 1 : -1)])].filter(
    (value) => value !== undefined,
  )
}

/** Every order that a list can be asked in. */
function ordersOf({ query }: Operation): Record<string, string>[] {
  let all: Record<string, string>[] = [{}]
  for (const { name, words } of query.filter((each) => orders.includes(each.name))) {
    all = all.flatMap((order) => words.map((word) => ({ ...order, [name]: word })))
  }
  return all
}

const sizeOf = ({ query }: Operation): Record<string, string> =>
  Object.fromEntries(
    query.filter(({ name }) => sizes.includes(name)).map(({ name, maximum }) => [name, String(maximum ?? usualSize)]),
  )

/** The path with the n-th value of each place in it. */
const urlOf = (operation: Operation, values: Values, query: Record<string, string>, n = 0): string => {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const given = givenTo(operation, name, values)
    return encodeURIComponent(given[n % given.length] ?? '')
  })
  const text = new URLSearchParams(query).toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * All that an operation is asked: each record of its path, each filter with each of its values and each pair of filters, in
 * every order, counted, from the beginning and from far back. In brief: each statement once or so; pairs in one order, each
 * with one value.
 */
export function* requestsOf(operation: Operation, values: Values, isBrief = false): Generator<Asked> {
  const asked = (query: Record<string, string>, isDeep = false, n = 0): Asked => ({
    operation,
    query,
    url: urlOf(operation, values, query, n),
    isDeep,
  })
  const records = Math.max(1, ...operation.inPath.map((name) => givenTo(operation, name, values).length))
  for (let n = 0; n < records; n++) yield asked({}, false, n)
  const size = sizeOf(operation)
  const all = ordersOf(operation)
  for (const filter of singles(operation, values)) {
    if (Object.keys(filter).length > 0 && !isBrief) yield asked(filter)
    if (has(operation, 'count')) yield asked({ ...size, ...filter, count: 'true' })
    for (const order of all) {
      yield asked({ ...size, ...filter, ...order })
      if (isBrief && Object.keys(filter).length > 0) continue
      if (places.some((place) => has(operation, place)) || cursors.some((cursor) => has(operation, cursor))) {
        yield asked({ ...size, ...filter, ...order }, true)
      }
    }
  }
  for (const pair of pairs(operation, values, isBrief)) {
    if (has(operation, 'count')) yield asked({ ...size, ...pair, count: 'true' })
    for (const order of isBrief ? all.slice(0, 1) : all) yield asked({ ...size, ...pair, ...order })
  }
}

function* singles(operation: Operation, values: Values): Generator<Record<string, string>> {
  yield {}
  for (const filter of filtersOf(operation)) {
    for (const value of valuesOf(operation, filter, values)) yield { [filter.name]: value }
  }
}

function* pairs(operation: Operation, values: Values, isBrief: boolean): Generator<Record<string, string>> {
  const filters = filtersOf(operation)
  const valuesIn = (filter: Parameter) => twoOf(operation, filter, values).slice(0, isBrief ? 1 : 2)
  for (const [i, one] of filters.entries()) {
    for (const other of filters.slice(i + 1)) {
      for (const first of valuesIn(one)) {
        for (const second of valuesIn(other)) yield { [one.name]: first, [other.name]: second }
      }
    }
  }
}

/** The fields of an answer that say where the list continues. */
export interface Answered {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: every list has a body of its own
  body: any
}

/**
 * The deep pages of a list, from its first page: by offset, by page, and behind its last record. `ask` gets the other end.
 */
export async function deepOf(
  asked: Asked,
  values: Values,
  first: Answered,
  ask: (url: string) => Promise<Answered>,
): Promise<string[]> {
  const { operation, query } = asked
  const url = (more: Record<string, string>) => urlOf(operation, values, { ...query, ...more })
  const found: string[] = []
  const size = Number(query.limit ?? query.pageSize ?? usualSize)
  const total = totalOf(first)
  const most = operation.query.find(({ name }) => name === 'offset')?.maximum ?? farthest
  if (has(operation, 'offset')) {
    found.push(url({ offset: String(Math.max(0, Math.min(most, (total ?? most + size) - size))) }))
  }
  if (has(operation, 'page')) {
    const last = operation.query.find(({ name }) => name === 'page')?.maximum ?? Math.ceil(farthest / size)
    found.push(url({ page: String(last) }))
  }
  if (has(operation, 'after') && has(operation, 'order')) {
    // The first records of the reverse order are the last of this one.
    const opposite = query.order === 'asc' ? 'desc' : 'asc'
    const end = idsOf(await ask(url({ order: opposite }))).at(-1)
    if (end !== undefined) found.push(url({ after: end }))
  }
  for (const cursor of cursors.filter((name) => has(operation, name))) {
    const last = idsOf(first).at(-1)
    if (last !== undefined) found.push(url({ [cursor]: last }))
    for (const given of givenTo(operation, cursor, values)) found.push(url({ [cursor]: given }))
  }
  return [...new Set(found)]
}

function totalOf({ body, headers }: Answered): number | undefined {
  const said = body?.pageInfo?.total ?? body?.pagination?.total ?? headers.get('x-total-count') ?? undefined
  return said === undefined || Number.isNaN(Number(said)) ? undefined : Number(said)
}

/** The cursors of the records of a page: what the answer says where it goes on, else their ids. */
function idsOf({ body }: Answered): string[] {
  if (body === null || typeof body !== 'object') return []
  const rows = Array.isArray(body) ? body : Object.values(body).find((value) => Array.isArray(value))
  const ids = ((rows as unknown[]) ?? []).flatMap((row) => cursorOf(row) ?? [])
  const next = (body as Record<string, unknown>).next ?? (body as Record<string, unknown>).after
  return typeof next === 'string' || typeof next === 'number' ? [...ids, String(next)] : ids
}

function cursorOf(row: unknown): string | undefined {
  const { record, version, id, transactionId, participantId } = (row ?? {}) as Record<string, unknown>
  const found = record === undefined ? (id ?? transactionId ?? participantId) : version
  return found === undefined || found === null ? undefined : String(found)
}
