import { eq, param, prepared, type Store } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { customers } from '../accounts/customers.table'
import type { Lookup } from '../accounts/lookup'
import { fail } from '../errors'

/**
 * Answers the account's id as it is kept. 404 when there is no such account, 400 when it is no portfolio account, or it
 * or its customer is not active.
 */
export async function portfolioAccount(store: Store, lookup: Lookup, given: string): Promise<string> {
  await lookup.requireAccount(given)
  const [account] = await accountById(store.read).execute({ id: given.toLowerCase() })
  if (!account) throw fail('ACCOUNT_NOT_FOUND', { message: `Account ${given} not found` })
  const { id, type, status, customerId, customerStatus } = account
  if (type !== 'PORTFOLIO') {
    throw fail('PORTFOLIO_ACCOUNT_NEEDED', { message: `Account ${id} is of type ${type}; it must be PORTFOLIO` })
  }
  if (status !== 'active') {
    throw fail('ACCOUNT_NOT_ACTIVE', { message: `Account ${id} is ${status}; only active accounts can be used` })
  }
  if (customerId !== null && customerStatus !== 'active') {
    throw fail('CUSTOMER_NOT_ACTIVE', {
      message: `Customer ${customerId} of account ${id} is ${customerStatus ?? 'not known'}; only accounts of active customers can be used`,
    })
  }
  return id
}

const accountById = prepared((db) =>
  db
    .select({
      id: accounts.id,
      type: accounts.type,
      status: accounts.status,
      customerId: accounts.customerId,
      customerStatus: customers.status,
    })
    .from(accounts)
    .leftJoin(customers, eq(customers.id, accounts.customerId))
    .where(eq(accounts.id, param('id'))),
)
