import type { paths } from '#types/core-ledger'
import { useList } from '../../api/list'
import { core, pageOf } from '../../api/services'
import { usePeriod } from '../../ui/period-filter'
import type { FilterName } from './transaction-filters'

type Values = Record<FilterName, string>
type ListQuery = NonNullable<paths['/transactions']['get']['parameters']['query']>
/** The filters that are the same text in a request and in the URL. */
type Chosen = Omit<Pick<ListQuery, FilterName>, 'from' | 'to' | 'minUsd'>

/** The filters as query parameters of the list: days are in the shown zone. */
export function useQueryOf(values: Values) {
  const { from, to, minUsd, ...rest } = values
  const times = usePeriod({ from, to })
  const given: Chosen = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''))
  return {
    ...given,
    ...(/^\d+$/.test(minUsd) ? { minUsd: Number(minUsd) } : {}),
    ...times,
  }
}

/** Transactions, newest first. */
export const useTransactions = (query: ReturnType<typeof useQueryOf>, isEnabled: boolean) =>
  useList({
    key: ['transactions', 'list', query],
    page: (after, limit, signal) =>
      pageOf(core.GET('/transactions', { params: { query: { ...query, order: 'desc', after, limit } }, signal })),
    everyMs: 20_000,
    isEnabled,
  })

export type Transaction = NonNullable<ReturnType<typeof useTransactions>['rows']>[number]

/** Transactions that are approved and late, or failed but paid. */
export const useStuck = (isEnabled = true) =>
  useList({
    key: ['transactions', 'stuck'],
    page: (after, limit, signal) =>
      pageOf(core.GET('/transactions/stuck', { params: { query: { after, limit } }, signal })),
    everyMs: 20_000,
    isEnabled,
  })

export type Stuck = NonNullable<ReturnType<typeof useStuck>['rows']>[number]
