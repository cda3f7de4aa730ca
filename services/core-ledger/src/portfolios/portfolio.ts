import type { AnswerOf } from '@bursar/contracts/call'
import { executePortfolio, signPortfolioMessage } from '@bursar/contracts/wallet'
import { type Client, ifCallFails } from '@bursar/http'
import type { Store } from '@bursar/store'
import { requireAccount } from '../accounts/require-account'
import { fail } from '../errors'
import type { Execution, Signing } from './portfolio.model'
import { portfolioAccount } from './portfolio-account'

interface Deps {
  readonly store: Store
  readonly client: Client
}

/** Orders the wallet service to execute a portfolio's transaction. The same `key` again is the same execution. */
export async function execute(deps: Deps, input: Execution, key?: string): Promise<AnswerOf<typeof executePortfolio>> {
  await requireAccount(deps, input.accountId)
  const accountId = await portfolioAccount(deps.store.read, input.accountId)
  return await forward(deps.client.call(executePortfolio, { body: { ...input, accountId }, idempotencyKey: key }))
}

/** Orders the wallet service to sign a portfolio's message. */
export async function signMessage(
  deps: Deps,
  input: Signing,
  key?: string,
): Promise<AnswerOf<typeof signPortfolioMessage>> {
  await requireAccount(deps, input.accountId)
  const accountId = await portfolioAccount(deps.store.read, input.accountId)
  return await forward(deps.client.call(signPortfolioMessage, { body: { ...input, accountId }, idempotencyKey: key }))
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
