import type { Db } from '@bursar/store'
import { findStanding, inactivityOf } from '../accounts/accounts'
import { accountNotFound } from '../accounts/require-account'
import { fail } from '../errors'

/**
 * The stored id of a portfolio account. 404 if it is unknown here, 400 if it is not a portfolio account, or it or its
 * customer is not active.
 */
export async function portfolioAccount(db: Db, given: string): Promise<string> {
  const account = await findStanding(db, given.toLowerCase())
  if (!account) throw accountNotFound(given)
  const { id, type } = account
  if (type !== 'PORTFOLIO') {
    throw fail('PORTFOLIO_ACCOUNT_NEEDED', { message: `Account ${id} is of type ${type}; it must be PORTFOLIO` })
  }
  const inactive = inactivityOf(account)
  if (inactive !== null) throw fail('ACCOUNT_NOT_ACTIVE', { message: inactive })
  return id
}
