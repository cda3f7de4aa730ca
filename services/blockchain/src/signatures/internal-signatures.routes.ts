import { batchOf } from '@bursar/contracts/batch'
import { getSignatureFates, SignedBefore } from '@bursar/contracts/blockchain'
import { requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { fatesOf } from './fates'

/** For the wallet service only (contracts/blockchain.ts): the fates of the transactions that it has signed. */
export const internalSignatureRoutes = (deps: BlockchainDeps) =>
  new Elysia({ prefix: '/internal/signatures', detail: { hide: true } }).post(
    '/fates',
    async ({ request, body }) => {
      await requireService(deps.identity, request, ['wallet'])
      return { items: await fatesOf(deps, body.items) }
    },
    { body: batchOf(SignedBefore), response: { 200: response(getSignatureFates.answer) } },
  )
