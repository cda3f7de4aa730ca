import type { Db } from '@bursar/store'
import { findStanding, inactivityOf } from '../accounts/accounts'
import { accountNotFound } from '../accounts/require-account'
import { fail } from '../errors'

/**
 * The id of a portfolio account as it is kept. 404 when it is not known here, 400 when it is no portfolio account, or it
 * or its customer is not active.
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
