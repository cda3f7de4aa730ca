import { batchOf } from '@bursar/contracts/batch'
import { getSignatureFates, SignedBefore } from '@bursar/contracts/blockchain'
import { internalRoutes, response } from '@bursar/http'
import type { BlockchainDeps } from '../deps'
import { fatesOf } from './fates'

/** For the wallet service only (contracts/blockchain.ts): the fates of the transactions that it has signed. */
export const internalSignatureRoutes = (deps: BlockchainDeps) =>
  internalRoutes(deps.identity, '/internal/signatures', ['wallet']).post(
    '/fates',
    async ({ body }) => ({ items: await fatesOf(deps, body.items) }),
    { body: batchOf(SignedBefore), response: { 200: response(getSignatureFates.answer) } },
  )
