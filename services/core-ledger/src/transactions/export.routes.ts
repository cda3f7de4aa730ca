import { csvAnswer, csvResponse, fieldColumns, operation } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../deps'
import type { TransactionRecord } from '../movements/read-transactions'
import { TransactionExport } from '../movements/transactions.model'
import { normalNetwork } from '../networks/networks'
import { worthyChunks } from '../reporting/worth-filter'

const columns = {
  ...fieldColumns<TransactionRecord>('id', 'createdAt', 'updatedAt', 'executedAt', 'type', 'status'),
  amount: ({ amount, decimals }: TransactionRecord) => formatAmount(amount, decimals),
  ...fieldColumns<TransactionRecord>('assetCode'),
  network: ({ network }: TransactionRecord) => normalNetwork(network),
  ...fieldColumns<TransactionRecord>('customerId', 'accountId', 'toAccountId', 'sourceAddress', 'destinationAddress'),
  ...fieldColumns<TransactionRecord>('txHash', 'reference', 'rejectionReason', 'failureReason'),
}

export const exportRoutes = ({ store, log, rates }: LedgerDeps) =>
  new Elysia().get(
    '/export',
    ({ query }) =>
      csvResponse({ name: 'transactions', columns, chunks: worthyChunks({ db: store.read, rates }, query), log }),
    {
      query: TransactionExport,
      detail: operation('exportTransactions', 'Export the list as a table for spreadsheets', {
        responses: csvAnswer(`${Object.keys(columns).join(',')}\r\n`),
      }),
    },
  )
