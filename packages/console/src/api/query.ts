import {
  type DefaultError,
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  type InfiniteQueryObserverResult,
  QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
} from '@tanstack/query-core'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { ApiError } from './api-error'
import { useRender } from './store'

declare module '@tanstack/query-core' {
  interface Register {
    defaultError: ApiError
  }
}

/** Refusals are final; without an answer, or if a service is away, a read is retried twice. */
const isWorthARetry = (count: number, error: unknown): boolean =>
  count < 2 && error instanceof ApiError && error.isUncertain && error.status !== 501

/**
 * The cache of reads. Reads are repeated on focus and when the connection is back; writes never are. A browser
 * that believes it is offline reads nevertheless: a waiting read would leave old data on the screen without a notice.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5000,
      gcTime: 300_000,
      retry: isWorthARetry,
      retryDelay: (count) => 500 * 2 ** count,
    },
  },
})

/** For names and other things that rarely change. */
export const keptMs = 300_000

function useSubscription(subscribe: (listener: () => void) => () => void): void {
  const render = useRender()
  useEffect(() => subscribe(render), [])
}

export function useQuery<T, E = DefaultError, D = T, K extends QueryKey = QueryKey>(
  options: QueryObserverOptions<T, E, D, T, K>,
): QueryObserverResult<D, E> {
  const [observer] = useState(() => new QueryObserver<T, E, D, T, K>(queries, options))
  const set = queries.defaultQueryOptions(options)
  useLayoutEffect(() => observer.setOptions(set))
  useSubscription((listener) => observer.subscribe(listener))
  return observer.trackResult(observer.getOptimisticResult(set))
}

export function useInfinite<T, E, D, K extends QueryKey, P>(
  options: InfiniteQueryObserverOptions<T, E, D, K, P>,
): InfiniteQueryObserverResult<D, E> {
  const [observer] = useState(() => new InfiniteQueryObserver(queries, options))
  const set = queries.defaultQueryOptions(options as never) as unknown as typeof options
  useLayoutEffect(() => observer.setOptions(set))
  useSubscription((listener) => observer.subscribe(listener))
  return observer.getOptimisticResult(set as never) as InfiniteQueryObserverResult<D, E>
}

/** Reads again what begins with one of these keys. */
export function reread(...keys: readonly QueryKey[]): void {
  for (const queryKey of keys) void queries.invalidateQueries({ queryKey })
}
