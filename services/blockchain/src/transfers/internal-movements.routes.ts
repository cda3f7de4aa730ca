import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { movementChanges, ToldMovements } from '@bursar/contracts/blockchain'
import { t, text } from '@bursar/contracts/schema'
import { answerEach, ChangesQuery, internalRoutes, response } from '@bursar/http'
import type { BlockchainDeps } from '../deps'
import { movementRecords, toMovement } from '../movements/movements'
import { toldMovements } from './told-movements'

/** What moved without a deposit or withdrawal of the ledger's (contracts/blockchain.ts), as the ledger asks of a transaction. */
export const toldMovementRoutes = ({ identity, networks, store }: BlockchainDeps) =>
  internalRoutes(identity, '/internal/movements', ['core-ledger']).post(
    '/told',
    ({ body }) =>
      answerEach(
        body.items,
        ({ txHash }) => txHash,
        (asked) => toldMovements(store.read, networks, asked),
      ),
    {
      body: batchOf(t.Object({ network: text(128), txHash: text(128) })),
      response: { 200: response(batchAnswer(ToldMovements)) },
    },
  )

/** The same, as it changes. */
export const movementChangeRoutes = ({ identity, store }: BlockchainDeps) =>
  internalRoutes(identity, '/internal/movements').get(
    '/changes',
    ({ query }) => movementRecords.pageAfter(store, query.after, toMovement),
    {
      query: ChangesQuery,
      response: { 200: response(movementChanges.answer) },
    },
  )
