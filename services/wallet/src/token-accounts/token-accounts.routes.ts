import { idempotent, operation, requireMayCreate, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { findWallet, networksOf } from '../wallets/wallets'
import { findTokenAccount, keepTokenAccount, planTokenAccount, toTokenAccount } from './token-accounts'
import { AssetQuery, ById, NewTokenAccount, TokenAccount } from './token-accounts.model'
import { tokenAt, tokenOfAsset } from './tokens'

const failures = {
  409: 'The account’s walletAccountId belongs to another account',
  422: 'The network is not available',
  502: 'Another service gave an answer that cannot be used',
  503: 'The core ledger or the account service is unavailable',
  504: 'The core ledger or the account service did not answer in time',
}

/** Spec 3, Endpoints, Wallet service: token accounts. */
export function tokenAccountRoutes(deps: WalletDeps) {
  const { store, client } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/wallets', tags: ['Token accounts'] })
    .post(
      '/:id/token-account',
      ({ request, set, params, body }) =>
        once({ request, set }, async (reply) => {
          const token = await tokenAt(client, body.tokenAddress, await networksOf(store.read, params.id))
          const plan = await planTokenAccount(deps, params.id, token, body.feePayerAccountId ?? null)
          return await store.commit(async (tx) => {
            const { row, created } = await keepTokenAccount(tx, plan)
            return await reply(tx, created ? 201 : 200, toTokenAccount(row))
          })
        }),
      {
        params: ById,
        body: NewTokenAccount,
        response: { 200: response(TokenAccount), 201: response(TokenAccount) },
        detail: operation('createTokenAccount', 'Create the token account of an account for a token, or get it', {
          ...failures,
          404: 'There is no such account, or no such fee payer account',
        }),
      },
    )
    .get(
      '/:id/token-account',
      async ({ request, params, query }) => {
        const token = await tokenOfAsset(client, query)
        const wallet = await findWallet(store.read, params.id, token.network)
        const known = wallet && (await findTokenAccount(store.read, wallet.id, token.tokenAddress))
        if (!known) await requireMayCreate(deps.identity, request)
        const plan = await planTokenAccount(deps, params.id, token, null)
        return await store.commit(async (tx) => toTokenAccount((await keepTokenAccount(tx, plan)).row))
      },
      {
        params: ById,
        query: AssetQuery,
        response: { 200: response(TokenAccount) },
        detail: operation('getTokenAccount', 'Get the token account of an account for an asset, or create it', {
          ...failures,
          403: 'It would be created, and the participant is paused',
          404: 'There is no such account, or no such asset on the network',
        }),
      },
    )
}
