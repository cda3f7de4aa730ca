import { about, t, uuid } from '@bursar/contracts/schema'
import { CreditLimit, CreditLine, listCreditLines, setCreditLine } from '@bursar/contracts/transaction-manager'
import { type Deps, internalRoutes, operation, queryInteger, queryUuid, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { idsOf, linesOf, pageOfLines, setLimit, toCreditLine } from './credit-lines'

const Query = t.Object({
  participantId: t.Optional(about('Only lines of this participant', queryUuid())),
  after: t.Optional(about('Only lines of participants after this one, in the order of ids', queryUuid())),
  afterCurrency: t.Optional(
    about('With `after`: its lines in currencies after this one, too', t.String({ pattern: '^[A-Z]{3}$' })),
  ),
  limit: queryInteger({ minimum: 1, maximum: 500, default: 100 }),
})

/** Not in the specification: all credit lines, for operators. Limits are set at the main API. */
export const creditLineRoutes = ({ store }: Deps) =>
  new Elysia({ tags: ['Transactions'] }).get(
    '/credit-lines',
    async ({ query: { participantId, after = '', afterCurrency, limit } }) => {
      const rows = participantId
        ? linesOf(store.read, [participantId])
        : pageOfLines(store.read, after, afterCurrency, limit)
      return (await rows).map(toCreditLine)
    },
    {
      query: Query,
      response: { 200: response(t.Array(CreditLine)) },
      detail: operation(
        'listAllCreditLines',
        'List the credit lines of participants, sorted by participant and currency',
      ),
    },
  )

const Participants = t.Object({ participantIds: t.String({ maxLength: 4000 }) })
const ByParticipant = t.Object({ participantId: uuid() })

/** For the main API only (contracts/transaction-manager.ts). */
export const internalCreditLineRoutes = ({ store, identity, now }: Deps) =>
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
