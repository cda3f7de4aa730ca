import type { Account } from '@bursar/contracts/account'
import type { CsvColumns } from '@bursar/http'

/** The columns of an export. */
export const accountColumns: CsvColumns<Account> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  type: ({ type }) => type,
  status: ({ status }) => status,
  accountExternalId: ({ accountExternalId }) => accountExternalId,
  customerId: ({ customerId }) => customerId,
  customerExternalId: ({ customerExternalId }) => customerExternalId,
  customerName: ({ customerName }) => customerName,
  walletAccountId: ({ walletAccountId }) => walletAccountId,
  createdAt: ({ createdAt }) => createdAt,
}
