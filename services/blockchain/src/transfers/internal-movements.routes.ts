import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { movementChanges, ToldMovements } from '@bursar/contracts/blockchain'
import { t, text } from '@bursar/contracts/schema'
import { answerEach, queryInteger, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { movementRecords, toMovement } from '../movements/movements'
import { toldMovements } from './told-movements'

/**
 * Called by other services only (contracts/blockchain.ts): what moved without a deposit or withdrawal of the ledger's.
 */
export const internalMovementRoutes = ({ identity, networks, store }: BlockchainDeps) =>
  new Elysia({ prefix: '/internal/movements', detail: { hide: true } })
    .post(
      '/told',
      async ({ request, body }) => {
        await requireService(identity, request, ['core-ledger'])
        return await answerEach(
          body.items,
          ({ txHash }) => txHash,
          (asked) => toldMovements(store.read, networks, asked),
        )
      },
      {
        body: batchOf(t.Object({ network: text(128), txHash: text(128) })),
        response: { 200: response(batchAnswer(ToldMovements)) },
      },
    )
    .get(
      '/changes',
      async ({ request, query }) => {
        await requireService(identity, request)
        return await movementRecords.pageAfter(store, query.after, toMovement)
      },
      {
        query: t.Object({ after: queryInteger({ minimum: 0, default: 0 }) }),
        response: { 200: response(movementChanges.answer) },
      },
    )
