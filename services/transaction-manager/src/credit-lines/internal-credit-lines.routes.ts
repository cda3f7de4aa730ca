import { t, uuid } from '@bursar/contracts/schema'
import { CreditLimit, listCreditLines, setCreditLine } from '@bursar/contracts/transaction-manager'
import { internalRoutes, response } from '@bursar/http'
import type { TransactionManagerDeps } from '../deps'
import { idsOf, linesOf, setLimit, toCreditLine } from './credit-lines'

const Participants = t.Object({ participantIds: t.String({ maxLength: 4000 }) })
const ByParticipant = t.Object({ participantId: uuid() })

/** For the main API only (contracts/transaction-manager.ts). */
export const internalCreditLineRoutes = ({ store, identity, now }: TransactionManagerDeps) =>
  internalRoutes(identity, '/internal/credit-lines')
    .get('/', async ({ query }) => (await linesOf(store.read, idsOf(query.participantIds))).map(toCreditLine), {
      query: Participants,
      response: { 200: response(listCreditLines.answer) },
    })
    .put(
      '/:participantId',
      async ({ params, body }) =>
        toCreditLine(await store.commit((tx) => setLimit(tx, params.participantId, body, now()), params.participantId)),
      { params: ByParticipant, body: CreditLimit, response: { 200: response(setCreditLine.answer) } },
    )
