import { MessageToSign, PortfolioExecuted, PortfolioExecution, SignedMessage } from '@bursar/contracts/wallet'
import { idempotencyKeyOf, idempotent, internalRoutes, response } from '@bursar/http'
import type { WalletDeps } from '../deps'
import { execute } from './execute'
import { signMessage } from './sign-message'

/** For the core ledger only (contracts/wallet.ts): portfolios by spec 2. */
export function portfolioRoutes(deps: WalletDeps) {
  const { store, identity } = deps
  const once = idempotent(deps, { keep: 'forever' })
  return internalRoutes(identity, '/internal/portfolio', [ledger])
    .post(
      '/execute',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const key = idempotencyKeyOf(request)
          const executed = await execute(deps, body, key === null ? null : `${ledger} ${key}`)
          return await store.commit((tx) => reply(tx, 200, executed))
        }),
      { body: PortfolioExecution, response: { 200: response(PortfolioExecuted) } },
    )
    .post(
      '/sign-message',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const signed = await signMessage(deps, body)
          return await store.commit((tx) => reply(tx, 200, signed))
        }),
      { body: MessageToSign, response: { 200: response(SignedMessage) } },
    )
}

const ledger = 'core-ledger'
