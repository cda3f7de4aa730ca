import { ApiError } from '../../../api/api-error'
import { useQuery } from '../../../api/query'
import { useRead } from '../../../api/read'
import { blockchain, core, dataOf, notification, sanctions, tracker, wallet, webhook } from '../../../api/services'
import { useCan } from '../../../api/session'

const path = (id: string) => ({ path: { id } })

/** How often a transaction is read while it may change; its parts are read with it, and by themselves as below. */
const followMs = 4000
/** While it waits for its screening or a person: a decision as the first of two leaves the transaction as it is. */
const waitMs = 10_000
const hasEnded = (status: string | undefined): boolean =>
  status === 'COMPLETED' || status === 'REJECTED' || status === 'FAILED'
const followed = (status: string | undefined) => (hasEnded(status) ? false : status === 'APPROVED' ? followMs : waitMs)

/** The transaction itself, read again while it is open. Every other part has its own query. */
export const useTransaction = (id: string) =>
  useRead(['transactions', 'one', id], (signal) => core.GET('/transactions/{id}', { params: path(id), signal }), {
    refetchInterval: ({ state }) => (hasEnded(state.data?.status) ? false : followMs),
  })

export type Transaction = NonNullable<ReturnType<typeof useTransaction>['data']>

/** The fields of the transaction whose changes require reading the other parts again. */
export type Mark = Pick<Transaction, 'id' | 'status' | 'updatedAt'>

const keyOf = (part: string, { id, updatedAt }: Mark) => ['transactions', part, id, updatedAt] as const

export const usePhases = (of: Mark) =>
  useRead(
    keyOf('phases', of),
    (signal) => core.GET('/api/v1/core/transactions/{id}', { params: path(of.id), signal }),
    { placeholderData: (before) => before, refetchInterval: followed(of.status) },
  )

export const useEntries = (of: Mark) =>
  useRead(keyOf('entries', of), (signal) => core.GET('/transactions/{id}/entries', { params: path(of.id), signal }), {
    placeholderData: (before) => before,
  })

export const useDecisions = (of: Mark) =>
  useRead(
    keyOf('decisions', of),
    (signal) => core.GET('/transactions/{id}/decisions', { params: path(of.id), signal }),
    { placeholderData: (before) => before, refetchInterval: followed(of.status), enabled: useCan('read') },
  )

export type Decision = NonNullable<ReturnType<typeof useDecisions>['data']>[number]

/** The conditions of its approval, while it is frozen. */
export const useReviewTerms = (of: Mark) =>
  useRead(
    keyOf('review-terms', of),
    (signal) => core.GET('/transactions/{id}/review', { params: path(of.id), signal }),
    {
      placeholderData: (before) => before,
      refetchInterval: followMs,
      enabled: useCan('read') && of.status === 'FROZEN',
    },
  )

export const useExecution = (of: Mark) =>
  useQuery({
    queryKey: keyOf('execution', of),
    queryFn: ({ signal }) => orNull(dataOf(core.GET('/transactions/{id}/execution', { params: path(of.id), signal }))),
    refetchInterval: followMs,
    placeholderData: (before) => before,
    enabled: of.status === 'APPROVED',
  })

/** The wallet service's order of a withdrawal; null while there is none. */
export const useWalletOrder = (of: Mark, isEnabled: boolean) =>
  useQuery({
    queryKey: keyOf('wallet', of),
    queryFn: ({ signal }) =>
      orNull(
        dataOf(
          wallet.GET('/wallets/withdrawals/{transactionId}', { params: { path: { transactionId: of.id } }, signal }),
        ),
      ),
    placeholderData: (before) => before,
    refetchInterval: followed(of.status),
    enabled: useCan('read') && isEnabled,
  })

export const useChainTransaction = (of: Mark, hash: string | null) =>
  useQuery({
    queryKey: [...keyOf('chain', of), hash],
    queryFn: ({ signal }) =>
      orNull(
        dataOf(
          blockchain.GET('/transactions/{transactionHash}', {
            params: { path: { transactionHash: hash ?? '' } },
            signal,
          }),
        ),
      ),
    placeholderData: (before) => before,
    refetchInterval: followed(of.status),
    enabled: hash !== null,
  })

export const useScreeningJobs = (of: Mark) =>
  useRead(
    keyOf('screening', of),
    (signal) => sanctions.GET('/sanctions/jobs', { params: { query: { transactionId: of.id, limit: 10 } }, signal }),
    { placeholderData: (before) => before, enabled: useCan('read') },
  )

export const useEvents = (of: Mark) =>
  useRead(
    keyOf('events', of),
    (signal) => notification.GET('/events', { params: { query: { transactionId: of.id, limit: 25 } }, signal }),
    { placeholderData: (before) => before, refetchInterval: followed(of.status) },
  )

/** The webhook deliveries of these events. */
export const useDeliveries = (of: Mark, eventIds: readonly string[]) =>
  useRead(
    [...keyOf('deliveries', of), eventIds],
    (signal) =>
      webhook.GET('/webhooks/deliveries', {
        params: { query: { resourceId: eventIds.join(','), limit: 50, order: 'asc' } },
        signal,
      }),
    { placeholderData: (before) => before, enabled: eventIds.length > 0 },
  )

export const useMessages = (of: Mark, isEnabled: boolean) =>
  useRead(
    keyOf('messages', of),
    (signal) =>
      tracker.GET('/log-messages', {
        params: { query: { transactionId: of.id, limit: 100, sortBy: 'timestamp', sortOrder: 'asc' } },
        signal,
      }),
    { placeholderData: (before) => before, refetchInterval: followed(of.status), enabled: isEnabled },
  )

/** Null instead of a 404. */
async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
