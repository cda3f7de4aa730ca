import type { QueryKey, QueryObserverOptions } from '@tanstack/query-core'
import type { ApiError } from './api-error'
import { useQuery } from './query'
import { type Answer, dataOf } from './services'

type Options<T, D> = Omit<QueryObserverOptions<T, ApiError, D>, 'queryKey' | 'queryFn'>

/** What a service answers: `useRead(['networks'], (signal) => blockchain.GET('/networks', { signal }))`. */
export const useRead = <T, D = NonNullable<T>>(
  queryKey: QueryKey,
  ask: (signal: AbortSignal) => Promise<Answer<T>>,
  options: Options<NonNullable<T>, D> = {},
) => useQuery<NonNullable<T>, ApiError, D>({ ...options, queryKey, queryFn: ({ signal }) => dataOf(ask(signal)) })
