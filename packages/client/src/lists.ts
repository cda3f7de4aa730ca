import type { DataOf, InitOf, SendAny } from './calls.js'
import { type ListPath, lists } from './routes.js'

/** The records of a list: its body, or the one list in it. */
export type ItemOf<P extends ListPath> = Listed<DataOf<'get', P>>
type Listed<Data> = Data extends readonly (infer Item)[]
  ? Item
  : Data extends object
    ? { [Field in keyof Data]: NonNullable<Data[Field]> extends readonly (infer Item)[] ? Item : never }[keyof Data]
    : never

/** What a list takes; `params.query.limit` or `pageSize` is the size of a page, 100 unless given. */
export type ListInit<P extends ListPath> = Partial<InitOf<'get', P>>

/** The server has answered what no list answers: a page again, no records, or records without an id. */
export class ListError extends Error {
  override readonly name = 'ListError'
}

type Query = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, unknown>>
/** A page as it came, and where it is. */
interface Page {
  readonly place: Query
  readonly size: number
  readonly items: readonly unknown[]
  readonly body: Fields
}

/** The size of pages: the most that every list allows. */
const usualSize = 100

/**
 * All records of a list, one after another; a page is asked for when its first record is needed. Throws BursarError where
 * a page cannot be had, ListError where the pages make no list.
 */
export async function* listAll(
  send: SendAny,
  path: ListPath,
  init: { params?: { query?: Query } } = {},
): AsyncGenerator<unknown, void, undefined> {
  const { params, ...options } = init
  const given = Object.fromEntries(Object.entries(params?.query ?? {}).filter(([, value]) => value != null))
  const by = wayOf(lists[path], given)
  const query: Query = { [by.size]: usualSize, ...given }
  const size = Number(by.size === 'limit' ? query.limit : query.pageSize)
  const seen = new Set<string>()
  let place: Query | null = by.first(query)
  while (place !== null) {
    const { data } = await send('get', path, { ...options, params: { ...params, query: { ...query, ...place } } })
    const page: Page = { place, size, items: itemsOf(path, data), body: fieldsOf(data) }
    yield* page.items
    place = by.next(page)
    if (place === null) return
    const last = page.items.at(-1)
    const mark = String(fieldsOf(last).id ?? JSON.stringify(last))
    if (seen.has(mark)) throw new ListError(`GET ${path}: a page has come again`)
    seen.add(mark)
  }
}

/** How a list is asked for its next page: by the field of a record that names it, or by a number. */
export type ListWay = `after ${string}` | 'offset' | 'offsetOfPages' | 'page'

/** How that is done (docs/api.md, Lists). */
interface Way {
  /** The query parameter with the size of a page. */
  readonly size: 'limit' | 'pageSize'
  first(query: Query): Query
  /** Null after the last page. */
  next(page: Page): Query | null
}

/** One that is longer than was asked for is no page, but the whole list. */
const isLast = ({ items, size }: Page): boolean => items.length === 0 || items.length !== size

const number = (value: unknown, otherwise: number): number => (value === undefined ? otherwise : Number(value))

/** By an id of the last record. */
const after = (field: string): Way => ({
  size: 'limit',
  first: ({ after }) => (after === undefined ? {} : { after }),
  next(page) {
    if (isLast(page)) return null
    const id = fieldsOf(page.items.at(-1))[field]
    if (typeof id !== 'string' || id === '') throw new ListError(`The last record of a page has no ${field}`)
    // An offset counts from there: the next page would pass as many records again.
    return { after: id, offset: undefined }
  },
})

/** By the number of records before it. */
const offset: Way = {
  size: 'limit',
  first: ({ offset }) => ({ offset: number(offset, 0) }),
  next(page) {
    const offset = Number(page.place.offset) + page.items.length
    const { total } = fieldsOf(page.body.pageInfo)
    const isEnd = typeof total === 'number' ? page.items.length === 0 || offset >= total : isLast(page)
    return isEnd ? null : { offset }
  },
}

/** By the number of pages before it. */
const offsetOfPages: Way = {
  size: 'limit',
  first: ({ offset }) => ({ offset: number(offset, 0) }),
  next({ place, items, body }) {
    const isEnd = items.length === 0 || fieldsOf(body.pagination).hasMore !== true
    return isEnd ? null : { offset: Number(place.offset) + 1 }
  },
}

/** By its number. */
const byPage: Way = {
  size: 'pageSize',
  first: ({ page }) => ({ page: number(page, 1) }),
  next: (page) => (isLast(page) ? null : { page: Number(page.place.page) + 1 }),
}

/** A list that is searched, or sorted by something else than its age, goes on after no record. */
function wayOf(name: ListWay, { search, sortBy = 'createdAt' }: Query): Way {
  if (name === 'offsetOfPages') return offsetOfPages
  if (name === 'page') return byPage
  const isByAge = search === undefined && sortBy === 'createdAt'
  return name === 'offset' || !isByAge ? offset : after(name.replace('after ', ''))
}

/** The body, or the one list in it. */
function itemsOf(path: string, body: unknown): readonly unknown[] {
  const [items, ...others] = Array.isArray(body) ? [body] : Object.values(fieldsOf(body)).filter(Array.isArray)
  if (items === undefined || others.length > 0) throw new ListError(`GET ${path}: the answer is no list`)
  return items
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
