import { KnownToken } from '@bursar/contracts/blockchain'
import { internalRoutes, response } from '@bursar/http'
import type { BlockchainDeps } from '../deps'
import { registerToken } from './register-token'

/** Called by other services only (contracts/blockchain.ts): the tokens whose deposits are published. */
export const internalTokenRoutes = (deps: BlockchainDeps) =>
  internalRoutes(deps.identity, '/internal/tokens', ['core-ledger', 'wallet']).post(
    '/',
    ({ body }) => registerToken(deps, body),
    { body: KnownToken, response: { 200: response(KnownToken) } },
  )
