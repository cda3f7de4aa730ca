import { KnownToken } from '@bursar/contracts/blockchain'
import { requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { registerToken } from './register-token'

/** Called by other services only (contracts/blockchain.ts): the tokens whose deposits are published. */
export const internalTokenRoutes = (deps: BlockchainDeps) =>
  new Elysia({ prefix: '/internal/tokens', detail: { hide: true } }).post(
    '/',
    async ({ request, body }) => {
      await requireService(deps.identity, request, ['core-ledger', 'wallet'])
      return await registerToken(deps, body)
    },
    { body: KnownToken, response: { 200: response(KnownToken) } },
  )
