import type { operations } from '#types/customer'
import { useRead } from '../../api/read'
import { account, core, customer } from '../../api/services'
import { useCan } from '../../api/session'
import { useOwnInstitution } from '../accounts/accounts-query'
import { customersIn } from '../participants/institution-query'

export type CustomerRow = operations['listCustomers']['responses'][200]['content']['application/json'][number]

/** One customer. */
export const useOneCustomer = (id: string) =>
  useRead(['customer', id], (signal) => customer.GET('/customers/{id}', { params: { path: { id } }, signal }))

/** The most accounts of one customer that its page shows. */
export const mostAccounts = 100

/** The accounts of a customer: for staff from the account service, for an institution from its own records. */
export function useAccountsOf(customerId: string) {
  const isStaff = useCan('read')
  const own = useOwnInstitution()
  const all = useRead(
    ['accounts', 'of', customerId],
    (signal) => account.GET('/accounts', { params: { query: { customerId, limit: mostAccounts } }, signal }),
    { enabled: isStaff },
  )
  if (isStaff) return all
  const customers = customersIn(own.data)
  return {
    ...own,
    refetch: own.refetch,
    data: customers?.flatMap(({ id, accounts }) => (id === customerId ? accounts : [])),
  }
}

/** The balances of a customer's accounts, by account and asset. */
export const useCustomerBalances = (customerId: string) =>
  useRead(
    ['balances', 'customer', customerId],
    (signal) => core.GET('/balances/customer/{customerId}', { params: { path: { customerId } }, signal }),
    { refetchInterval: 30_000 },
  )
export type CustomerBalance = NonNullable<ReturnType<typeof useCustomerBalances>['data']>[number]
