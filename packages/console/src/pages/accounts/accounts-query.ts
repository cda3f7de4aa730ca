import type { operations } from '#types/account'
import type { components as Core } from '#types/core-ledger'
import { useQuery } from '../../api/query'
import { account, core, dataOf, participant } from '../../api/services'
import { useSession } from '../../api/session'

export type AccountRow = operations['listAccounts']['responses'][200]['content']['application/json'][number]
export type AccountsQuery = NonNullable<operations['listAccounts']['parameters']['query']>
export type Movement = Core['schemas']['AccountMovement']
export type Balance = NonNullable<ReturnType<typeof useBalances>['data']>[number]

export const accountTypes = ['STABLECOINS', 'PORTFOLIO', 'OMNIBUS', 'FEE_PAYER'] as const
export const recordStatuses = ['active', 'suspended', 'inactive', 'deleted'] as const

/** One account. */
export const useOneAccount = (id: string) =>
  useQuery({
    queryKey: ['account', id],
    queryFn: ({ signal }) => dataOf(account.GET('/accounts/{id}', { params: { path: { id } }, signal })),
  })

/** The exact balances of an account. */
export const useBalances = (accountId: string) =>
  useQuery({
    queryKey: ['balances', 'account', accountId],
    queryFn: ({ signal }) =>
      dataOf(core.GET('/balances/account/{accountId}', { params: { path: { accountId } }, signal })),
    refetchInterval: 30_000,
  })

/** Their estimated value. */
export const useWorth = (id: string) =>
  useQuery({
    queryKey: ['balances', 'worth', id],
    queryFn: ({ signal }) => dataOf(account.GET('/accounts/{id}/balance', { params: { path: { id } }, signal })),
    staleTime: 30_000,
    retry: false,
  })

/** For users of an institution: it with its customers and their accounts. */
export function useOwnInstitution() {
  const { user } = useSession()
  const id = user.participantId ?? ''
  return useQuery({
    queryKey: ['participant', id],
    queryFn: ({ signal }) => dataOf(participant.GET('/participants/{id}', { params: { path: { id } }, signal })),
    enabled: id !== '',
  })
}
