import { movementChanges } from '@bursar/contracts/blockchain'
import { t } from '@bursar/contracts/schema'
import { queryInteger, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { movementRecords, toMovement } from './movements'

/** For the other services only (contracts/blockchain.ts): what moved without a deposit or withdrawal of the ledger's. */
export const internalMovementRoutes = ({ identity, store }: BlockchainDeps) =>
  new Elysia({ prefix: '/internal/movements', detail: { hide: true } }).get(
    '/changes',
    async ({ request, query }) => {
      await requireService(identity, request)
      return await movementRecords.pageAfter(store.read, query.after, toMovement)
    },
    {
      query: t.Object({ after: queryInteger({ minimum: 0, default: 0 }) }),
      response: { 200: response(movementChanges.answer) },
    },
  )
