import { about, t } from '@bursar/contracts/schema'
import { CreditLine } from '@bursar/contracts/transaction-manager'
import { operation, queryInteger, queryUuid, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { TransactionManagerDeps } from '../deps'
import { linesOf, pageOfLines, toCreditLine } from './credit-lines'

const Query = t.Object({
  participantId: t.Optional(about('Only lines of this participant', queryUuid())),
  after: t.Optional(about('Only lines of participants after this one, in the order of ids', queryUuid())),
  afterCurrency: t.Optional(
    about('With `after`: its lines in currencies after this one, too', t.String({ pattern: '^[A-Z]{3}$' })),
  ),
  limit: queryInteger({ minimum: 1, maximum: 500, default: 100 }),
})

/** Not in the specification: all credit lines, for operators. Limits are set at the main API. */
export const creditLineRoutes = ({ store }: TransactionManagerDeps) =>
  new Elysia({ tags: ['Transactions'] }).get(
    '/credit-lines',
    async ({ query: { participantId, after = '', afterCurrency, limit } }) => {
      const rows = participantId
        ? linesOf(store.read, [participantId])
        : pageOfLines(store.read, { after, afterCurrency }, limit)
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
