import { MessageToSign, PortfolioExecuted, PortfolioExecution, SignedMessage } from '@bursar/contracts/wallet'
import { idempotencyKeyOf, idempotent, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { execute } from './execute'
import { signMessage } from './sign-message'

/** For the core ledger only (contracts/wallet.ts): portfolios by spec 2. */
export function portfolioRoutes(deps: WalletDeps) {
  const { store, identity } = deps
  const once = idempotent(deps, { keep: 'forever' })
  return new Elysia({ prefix: '/internal/portfolio' })
    .post(
      '/execute',
      async ({ request, set, body }) => {
        const { subject } = await requireService(identity, request, ledger)
        return await once({ request, set }, async (reply) => {
          const key = idempotencyKeyOf(request)
          const executed = await execute(deps, body, key === null ? null : `${subject} ${key}`)
          return await store.commit((tx) => reply(tx, 200, executed))
        })
      },
      { body: PortfolioExecution, response: { 200: response(PortfolioExecuted) }, detail: { hide: true } },
    )
    .post(
      '/sign-message',
      async ({ request, set, body }) => {
        await requireService(identity, request, ledger)
        return await once({ request, set }, async (reply) => {
          const signed = await signMessage(deps, body)
          return await store.commit((tx) => reply(tx, 200, signed))
        })
      },
      { body: MessageToSign, response: { 200: response(SignedMessage) }, detail: { hide: true } },
    )
}

const ledger = ['core-ledger'] as const
