import { executePortfolio, signPortfolioMessage } from '@bursar/contracts/wallet'
import { idempotencyKeyOf, idempotencyKeys, idempotent, operation, response, sha256 } from '@bursar/http'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../deps'
import { moneyFailures } from '../movements/money-failures'
import { orderOfPortfolio } from './portfolio'
import { Execution, PortfolioExecuted, SignedMessage, Signing } from './portfolio.model'

const failures = moneyFailures({
  404: 'The account, or its wallet, is not found',
  422: 'The mode or chain is not supported; or the idempotency key was used for another request',
  502: 'The wallet service failed or is unavailable',
  503: 'The account service is unavailable',
  504: 'The wallet service did not answer in time and may have acted; retry with the same Idempotency-Key',
})

/** Spec 2, Endpoints, gateway form: portfolio execution and message signing. */
export function portfolioRoutes(deps: LedgerDeps) {
  const { store } = deps
  const once = idempotent(deps, { keep: 'forever' })
  const signOnce = idempotent(deps)
  return new Elysia({ prefix: '/api/v1/core/transactions/portfolio', tags: ['Portfolios'] })
    .onBeforeHandle(deps.books.requireOpen)
    .post(
      '/execute',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const key = walletKey(request, body.accountId)
          const executed = await orderOfPortfolio(deps, executePortfolio, body, key)
          // Without a key nothing is stored.
          return key === undefined ? executed : await store.commit((tx) => reply(tx, 200, executed))
        }),
      {
        body: Execution,
        response: { 200: response(PortfolioExecuted) },
        detail: operation('executePortfolioTransaction', 'Execute a portfolio account’s transaction', {
          ...idempotencyKeys('forever'),
          ...failures,
        }),
      },
    )
    .post(
      '/sign-message',
      ({ request, set, body }) =>
        signOnce({ request, set }, async (reply) => {
          const key = walletKey(request, body.accountId)
          const signed = await orderOfPortfolio(deps, signPortfolioMessage, body, key)
          return key === undefined ? signed : await store.commit((tx) => reply(tx, 200, signed))
        }),
      {
        body: Signing,
        response: { 200: response(SignedMessage) },
        detail: operation('signPortfolioMessage', 'Sign a message with a portfolio account’s key', failures),
      },
    )
}

/**
 * Derives a key for this account from the caller's, so that a retry after a timeout is a retry at the wallet service,
 * too.
 */
function walletKey(request: Request, accountId: string): string | undefined {
  const key = idempotencyKeyOf(request)
  if (key === null) return undefined
  return sha256(`${accountId.toLowerCase()} ${key}`, 'base64url')
}
