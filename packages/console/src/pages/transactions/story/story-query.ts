import { keepPreviousData } from '@tanstack/query-core'
import { useRead } from '../../../api/read'
import {
  type Answer,
  blockchain,
  core,
  notification,
  orNull,
  sanctions,
  tracker,
  wallet,
  webhook,
} from '../../../api/services'
import { useCan } from '../../../api/session'

const path = (id: string) => ({ path: { id } })

/** How often a transaction is read while it may change; its parts are read with it, and by themselves as below. */
const followMs = 4000
/** While it waits for its screening or a person: a decision as the first of two leaves the transaction as it is. */
const waitMs = 10_000
export const hasEnded = (status: string | undefined): boolean =>
  status === 'COMPLETED' || status === 'REJECTED' || status === 'FAILED'
const followed = (status: string) => (hasEnded(status) ? false : status === 'APPROVED' ? followMs : waitMs)

/** The transaction itself, read again while it is open. Every other part has its own query. */
export const useTransaction = (id: string) =>
  useRead(['transactions', 'one', id], (signal) => core.GET('/transactions/{id}', { params: path(id), signal }), {
    refetchInterval: ({ state }) => (hasEnded(state.data?.status) ? false : followMs),
  })

export type Transaction = NonNullable<ReturnType<typeof useTransaction>['data']>

/** The fields of the transaction whose changes require reading the other parts again. */
type Mark = Pick<Transaction, 'id' | 'status' | 'updatedAt'>

interface Reading {
  isEnabled?: boolean
  everyMs?: number | false
}

/** A part by its name, and by what else tells it apart; what was read of it before stays until it is read again. */
const usePart = <T>(
  [part, ...more]: readonly [part: string, ...more: unknown[]],
  { id, updatedAt }: Mark,
  ask: (signal: AbortSignal) => Promise<Answer<T>>,
  { isEnabled = true, everyMs = false }: Reading = {},
) =>
  useRead(['transactions', part, id, updatedAt, ...more], ask, {
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
    enabled: isEnabled,
  })

export const usePhases = (of: Mark) =>
  usePart(['phases'], of, (signal) => core.GET('/api/v1/core/transactions/{id}', { params: path(of.id), signal }), {
    everyMs: followed(of.status),
  })

export const useEntries = (of: Mark) =>
  usePart(['entries'], of, (signal) => core.GET('/transactions/{id}/entries', { params: path(of.id), signal }))

export const useDecisions = (of: Mark) =>
  usePart(['decisions'], of, (signal) => core.GET('/transactions/{id}/decisions', { params: path(of.id), signal }), {
    isEnabled: useCan('read'),
    everyMs: followed(of.status),
  })

export type Decision = NonNullable<ReturnType<typeof useDecisions>['data']>[number]

/** The conditions of its approval, while it is frozen. */
export const useReviewTerms = (of: Mark) =>
  usePart(['review-terms'], of, (signal) => core.GET('/transactions/{id}/review', { params: path(of.id), signal }), {
    isEnabled: useCan('read') && of.status === 'FROZEN',
    everyMs: followMs,
  })

export const useExecution = (of: Mark) =>
  usePart(
    ['execution'],
    of,
    (signal) => orNull(core.GET('/transactions/{id}/execution', { params: path(of.id), signal })),
    { isEnabled: of.status === 'APPROVED', everyMs: followMs },
  )

/** The wallet service's order of a withdrawal, null while there is none; and what its network knows of its hash. */
export function useOnChain(of: Transaction) {
  const isOrdered = of.type === 'WITHDRAWAL' && ['APPROVED', 'COMPLETED', 'FAILED'].includes(of.status)
  const everyMs = followed(of.status)
  const order = usePart(
    ['wallet'],
    of,
    (signal) =>
      orNull(
        wallet.GET('/wallets/withdrawals/{transactionId}', { params: { path: { transactionId: of.id } }, signal }),
      ),
    { isEnabled: useCan('read') && isOrdered, everyMs },
  )
  const hash = of.txHash ?? order.data?.txHash ?? null
  const chain = usePart(
    ['chain', hash],
    of,
    (signal) =>
      orNull(
        blockchain.GET('/transactions/{transactionHash}', {
          params: { path: { transactionHash: hash ?? '' } },
          signal,
        }),
      ),
    { isEnabled: of.type !== 'TRANSFER' && hash !== null, everyMs },
  )
  return { isOrdered, order, hash, chain }
}

export const useScreeningJobs = (of: Mark) =>
  usePart(
    ['screening'],
    of,
    (signal) => sanctions.GET('/sanctions/jobs', { params: { query: { transactionId: of.id, limit: 10 } }, signal }),
    { isEnabled: useCan('read') },
  )

export const useEvents = (of: Mark) =>
  usePart(
    ['events'],
    of,
    (signal) => notification.GET('/events', { params: { query: { transactionId: of.id, limit: 25 } }, signal }),
    { everyMs: followed(of.status) },
  )

/** The webhook deliveries of these events. */
export const useDeliveries = (of: Mark, eventIds: readonly string[]) =>
  usePart(
    ['deliveries', eventIds],
    of,
    (signal) => {
      const query = { resourceId: eventIds.join(','), limit: 50, order: 'asc' as const }
      return webhook.GET('/webhooks/deliveries', { params: { query }, signal })
    },
    { isEnabled: eventIds.length > 0 },
  )

export const useMessages = (of: Mark, isEnabled: boolean) =>
  usePart(
    ['messages'],
    of,
    (signal) => {
      const query = { transactionId: of.id, limit: 100, sortBy: 'timestamp' as const, sortOrder: 'asc' as const }
      return tracker.GET('/log-messages', { params: { query }, signal })
    },
    { isEnabled, everyMs: followed(of.status) },
  )
