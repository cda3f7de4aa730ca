import type { QueryKey, QueryObserverOptions } from '@tanstack/query-core'
import type { ApiError } from './api-error'
import { request, type Sent } from './http'
import { useQuery } from './query'
import { type Answer, dataOf } from './services'

type Options<T, D> = Omit<QueryObserverOptions<T, ApiError, D>, 'queryKey' | 'queryFn'>
type Read<T> = Exclude<T, undefined>

/** What the gateway itself answers: `useRequest<Health>(['health'], '/health')`. */
export const useRequest = <T, D = T>(
  queryKey: QueryKey,
  path: string,
  { query, ...options }: Options<T, D> & Pick<Sent, 'query'> = {},
) => useQuery<T, ApiError, D>({ ...options, queryKey, queryFn: ({ signal }) => request<T>(path, { query, signal }) })

/** What a service answers: `useRead(['networks'], (signal) => blockchain.GET('/networks', { signal }))`. */
export const useRead = <T, D = Read<T>>(
  queryKey: QueryKey,
  ask: (signal: AbortSignal) => Promise<Answer<T>>,
  options: Options<Read<T>, D> = {},
) => useQuery<Read<T>, ApiError, D>({ ...options, queryKey, queryFn: ({ signal }) => dataOf(ask(signal)) })
