import { exampleIds } from '@bursar/contracts/examples'
import { t } from '@bursar/contracts/schema'
import { csvAnswer, csvResponse, fieldColumns, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { requireAccount } from '../accounts/require-account'
import type { LedgerDeps } from '../deps'
import { someId } from '../networks/fields'
import { statementOf } from './statement'
import { Statement, type StatementLine, StatementQuery } from './statement.model'

const params = t.Object({ accountId: someId(exampleIds.account) })

const columns = {
  ...fieldColumns<StatementLine>('at', 'kind', 'transactionId', 'assetCode', 'network', 'amount', 'balance'),
  ...fieldColumns<StatementLine>('counterparty', 'reference', 'txHash'),
}

/** Not in the specification: statements of an account. */
export function statementRoutes(deps: LedgerDeps) {
  const { store, log } = deps
  const read = async (accountId: string, query: StatementQuery) => {
    await requireAccount(deps, accountId)
    return await store.snapshot((db) => statementOf(db, accountId, query))
  }
  return new Elysia({ prefix: '/balances/account/:accountId/statement', tags: ['Balances'] })
    .get('/', ({ params, query }) => read(params.accountId, query), {
      params,
      query: StatementQuery,
      response: { 200: response(Statement) },
      detail: operation(
        'getAccountStatement',
        'Get the balances of an account at both ends of a period, and every change between them',
        failures,
      ),
    })
    .get(
      '/export',
      async ({ params, query }) => {
        const { lines } = await read(params.accountId, query)
        return csvResponse({ name: 'statement', columns, chunks: once(lines), log })
      },
      {
        params,
        query: StatementQuery,
        detail: operation('exportAccountStatement', 'Export the changes of a statement as a table for spreadsheets', {
          ...failures,
          responses: csvAnswer(`${Object.keys(columns).join(',')}\r\n`),
        }),
      },
    )
}

const failures = {
  404: 'There is no such account',
  422: 'The statement has more than 10,000 changes: ask for a shorter period',
  503: 'The account service is unavailable',
}

async function* once(rows: StatementLine[]): AsyncGenerator<StatementLine[]> {
  yield rows
}
