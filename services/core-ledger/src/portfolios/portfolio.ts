import type { Call } from '@bursar/contracts/call'
import type { Static, TSchema } from '@bursar/contracts/schema'
import { type Deps as Common, ifCallFails } from '@bursar/http'
import type { Db } from '@bursar/store'
import { findStanding, inactivityOf } from '../accounts/accounts'
import { accountNotFound, requireAccount } from '../accounts/require-account'
import { fail } from '../errors'

type Deps = Pick<Common, 'store' | 'client'>

/**
 * Has the wallet service execute a portfolio's transaction or sign its message. The same `key` again is the same
 * execution.
 */
export async function orderOfPortfolio<B extends TSchema, A extends TSchema>(
  { store, client }: Deps,
  call: Call<B, A>,
  input: Static<B> & { accountId: string },
  key?: string,
): Promise<Static<A>> {
  await requireAccount({ store, client }, input.accountId)
  const accountId = await portfolioAccount(store.read, input.accountId)
  return await forward(client.call(call, { body: { ...input, accountId }, idempotencyKey: key }))
}

/**
 * The stored id of a portfolio account. 404 if it is unknown here, 400 if it is not a portfolio account, or it or its
 * customer is not active.
 */
async function portfolioAccount(db: Db, given: string): Promise<string> {
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

/** Refusals of the wallet service are passed on with their messages; its failures become a 502 or 504. */
const forward = <T>(call: Promise<T>): Promise<T> =>
  ifCallFails(call, (cause) => {
    const { problem, status, message } = cause
    const refusal = problem === 'refused' ? refusals[status ?? 0] : undefined
    if (refusal) throw fail(refusal, { message, cause })
    throw fail(problem === 'timeout' ? 'WALLET_TIMED_OUT' : 'WALLET_FAILED', { cause })
  })

const refusals: Readonly<Record<number, 'WALLET_REFUSED' | 'WALLET_NOT_FOUND' | 'WALLET_UNSUPPORTED'>> = {
  400: 'WALLET_REFUSED',
  404: 'WALLET_NOT_FOUND',
  422: 'WALLET_UNSUPPORTED',
}
