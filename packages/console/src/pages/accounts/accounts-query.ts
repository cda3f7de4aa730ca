import type { operations } from '#types/account'
import type { components as Core } from '#types/core-ledger'
import { gathered } from '../../api/gathered'
import { useQuery } from '../../api/query'
import { useRead } from '../../api/read'
import { account, core, dataOf } from '../../api/services'
import { useSession } from '../../api/session'
import { isZero } from '../../format/amount'
import { customersIn, useParticipant } from '../participants/institution-query'

export type AccountRow = operations['listAccounts']['responses'][200]['content']['application/json'][number]
export type Movement = Core['schemas']['AccountMovement']
export type Balance = NonNullable<ReturnType<typeof useBalances>['data']>[number]

export const accountTypes = ['STABLECOINS', 'PORTFOLIO', 'OMNIBUS', 'FEE_PAYER'] as const
export const recordStatuses = ['active', 'suspended', 'inactive', 'deleted'] as const

/** One account. */
export const useOneAccount = (id: string) =>
  useRead(['account', id], (signal) => account.GET('/accounts/{id}', { params: { path: { id } }, signal }))

/** The exact balances of an account. */
export const useBalances = (accountId: string) =>
  useRead(
    ['balances', 'account', accountId],
    (signal) => core.GET('/balances/account/{accountId}', { params: { path: { accountId } }, signal }),
    { refetchInterval: 30_000 },
  )

/** What an account holds; null for none. Those that are asked for together share requests, fifty at most. */
export const holdingsOf = gathered(async (accountIds) => {
  const found = await dataOf(core.GET('/balances/accounts', { params: { query: { accountIds } } }))
  return Map.groupBy(found, ({ accountId }) => accountId)
}, 50)
export type Holding = NonNullable<ReturnType<typeof useHoldings>['data']>[number]

/** What an account in a list holds, without what it has no more of. Those of a list share requests. */
export const useHoldings = (accountId: string) =>
  useQuery({
    queryKey: ['balances', 'in-lists', accountId],
    queryFn: async () => (await holdingsOf(accountId)) ?? [],
    staleTime: 30_000,
    select: (held) => held.filter(({ totalBalance }) => !isZero(totalBalance)),
  })

/** Their estimated value. */
export const useWorth = (id: string) =>
  useRead(
    ['balances', 'worth', id],
    (signal) => account.GET('/accounts/{id}/balance', { params: { path: { id } }, signal }),
    { staleTime: 30_000, retry: false },
  )

/** For users of an institution: it with its customers and their accounts. */
export function useOwnInstitution(isEnabled = true) {
  const { participantId } = useSession().user
  return useParticipant(participantId ?? '', isEnabled && participantId !== null)
}

/** The accounts of the user's own institution; those of several customers are told apart by their names. */
export function useOwnAccounts(isEnabled = true) {
  const { data, error, dataUpdatedAt, refetch } = useOwnInstitution(isEnabled)
  const all = customersIn(data)?.flatMap(({ externalId, accounts }) =>
    accounts.map((each) => ({ ...each, externalId })),
  )
  const isOnce = all?.every(({ name }, i) => all.findIndex((other) => other.name === name) === i)
  const accounts = all?.map((each) => (isOnce ? each : { ...each, name: `${each.externalId} · ${each.name}` }))
  return { data: accounts, error, dataUpdatedAt, refetch }
}
