import { useMemo } from 'preact/hooks'
import type { Total } from '../format/amount'
import type { ApiError } from './api-error'
import { useInfinite } from './query'

/** A list that is read page by page, as DataTable shows it. */
export interface List<Row> {
  /** Undefined until the first page is read. */
  rows: readonly Row[] | undefined
  /** The total number; null if it is not counted. */
  total: Total | null
  error: ApiError | null
  isPending: boolean
  /** Reads the shown rows again. */
  isRefreshing: boolean
  isLoadingMore: boolean
  hasMore: boolean
  loadMore(): void
  reload(): void
  /** When the shown rows were read, in milliseconds since 1970; 0 for never. */
  readAt: number
}

/** What tells rows apart that have no `id`. */
export interface Told<Row> {
  idOf(row: Row): string
}
export const ownId = (row: unknown): string => (row as { id: string }).id

interface ListOptions<Row> {
  /** Names the list and its filters: `['transactions', filters]`. */
  key: readonly unknown[]
  /** Reads at most `limit` rows after the row of this id, or after so many rows where the service has no keyset. */
  page(
    after: string | undefined,
    limit: number,
    signal: AbortSignal,
    offset: number,
  ): Promise<{ rows: readonly Row[]; total: Total | null }>
  limit?: number
  /** How often a page of the shown rows is read again. */
  everyMs?: number
  isEnabled?: boolean
}

/** Reads a list page by page: the next one begins after the last row of the one before. */
export function useList<Row extends { id: string }>(options: ListOptions<Row>): List<Row>
export function useList<Row>(options: ListOptions<Row> & Told<Row>): List<Row>
export function useList<Row>(options: ListOptions<Row> & Partial<Told<Row>>): List<Row> {
  const { key, page, idOf = ownId, limit = 50, everyMs, isEnabled = true } = options
  type Page = { rows: readonly Row[]; total: Total | null }
  const result = useInfinite<Page, ApiError, { pages: Page[] }, readonly unknown[], { after?: string; offset: number }>(
    {
      queryKey: [...key, limit],
      queryFn: ({ pageParam: { after, offset }, signal }) => page(after, limit, signal, offset),
      initialPageParam: { offset: 0 },
      getNextPageParam: ({ rows }, pages) => {
        const last = rows.at(-1)
        if (rows.length < limit || last === undefined) return undefined
        return { after: idOf(last), offset: pages.reduce((sum, each) => sum + each.rows.length, 0) }
      },
      // All pages are read again: with more of them less often, so that a long list asks no more than a short one.
      refetchInterval: everyMs && (({ state }) => everyMs * Math.max(1, state.data?.pages.length ?? 1)),
      enabled: isEnabled,
    },
  )
  const pages = result.data?.pages
  // By offset a row comes again where one was added before it meanwhile.
  const rows = useMemo(
    () => pages && [...new Map(pages.flatMap((each) => each.rows.map((row) => [idOf(row), row] as const))).values()],
    [pages],
  )
  return {
    rows,
    total: pages?.[0]?.total ?? null,
    error: result.error,
    isPending: result.isPending && isEnabled,
    isRefreshing: result.isFetching && !result.isFetchingNextPage && !result.isPending,
    isLoadingMore: result.isFetchingNextPage,
    hasMore: result.hasNextPage,
    loadMore: () => void result.fetchNextPage(),
    reload: () => void result.refetch(),
    readAt: result.dataUpdatedAt,
  }
}

/** A List of rows that were read at once, by the query that read them; without one they are there. */
export const wholeList = <Row>(
  rows: readonly Row[] | undefined,
  read?: { error: ApiError | null; isPending: boolean; isFetching: boolean; dataUpdatedAt: number; refetch(): unknown },
): List<Row> => ({
  rows,
  total: rows?.length ?? null,
  error: read?.error ?? null,
  isPending: read?.isPending ?? false,
  isRefreshing: read ? read.isFetching && !read.isPending : false,
  isLoadingMore: false,
  hasMore: false,
  loadMore: () => {},
  reload: () => void read?.refetch(),
  readAt: read?.dataUpdatedAt ?? 0,
})
