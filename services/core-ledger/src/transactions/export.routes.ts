import { csvAnswer, csvResponse, operation } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../deps'
import type { TransactionRecord } from '../movements/read-transactions'
import { TransactionExport } from '../movements/transactions.model'
import { normalNetwork } from '../networks/networks'
import { worthyChunks } from '../reporting/worth-filter'

const columns = {
  id: ({ id }: TransactionRecord) => id,
  createdAt: ({ createdAt }: TransactionRecord) => createdAt,
  updatedAt: ({ updatedAt }: TransactionRecord) => updatedAt,
  executedAt: ({ executedAt }: TransactionRecord) => executedAt,
  type: ({ type }: TransactionRecord) => type,
  status: ({ status }: TransactionRecord) => status,
  amount: ({ amount, decimals }: TransactionRecord) => formatAmount(amount, decimals),
  assetCode: ({ assetCode }: TransactionRecord) => assetCode,
  network: ({ network }: TransactionRecord) => normalNetwork(network),
  customerId: ({ customerId }: TransactionRecord) => customerId,
  accountId: ({ accountId }: TransactionRecord) => accountId,
  toAccountId: ({ toAccountId }: TransactionRecord) => toAccountId,
  sourceAddress: ({ sourceAddress }: TransactionRecord) => sourceAddress,
  destinationAddress: ({ destinationAddress }: TransactionRecord) => destinationAddress,
  txHash: ({ txHash }: TransactionRecord) => txHash,
  reference: ({ reference }: TransactionRecord) => reference,
  rejectionReason: ({ rejectionReason }: TransactionRecord) => rejectionReason,
  failureReason: ({ failureReason }: TransactionRecord) => failureReason,
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
