import { t, uuid } from '@bursar/contracts/schema'
import { CreditLimit, listCreditLines, setCreditLine } from '@bursar/contracts/transaction-manager'
import { requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { TransactionManagerDeps } from '../deps'
import { idsOf, linesOf, setLimit, toCreditLine } from './credit-lines'

const Participants = t.Object({ participantIds: t.String({ maxLength: 4000 }) })
const ByParticipant = t.Object({ participantId: uuid() })

/** Called by the main API only (contracts/transaction-manager.ts). */
export const internalCreditLineRoutes = ({ store, identity }: TransactionManagerDeps) =>
  new Elysia({ prefix: '/internal/credit-lines', detail: { hide: true } })
    .get(
      '/',
      async ({ request, query }) => {
        await requireService(identity, request)
        return (await linesOf(store.read, idsOf(query.participantIds))).map(toCreditLine)
      },
      { query: Participants, response: { 200: response(listCreditLines.answer) } },
    )
    .put(
      '/:participantId',
      async ({ request, params, body }) => {
        await requireService(identity, request)
        return toCreditLine(await store.commit((tx) => setLimit(tx, params.participantId, body, new Date())))
      },
      { params: ByParticipant, body: CreditLimit, response: { 200: response(setCreditLine.answer) } },
    )
