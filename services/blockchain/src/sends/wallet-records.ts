import { getKnownOrders, getWithdrawal, type WithdrawalState } from '@bursar/contracts/wallet'
import { asRequest, type Client, ifCallFails } from '@bursar/http'

/** Reads the wallet service's record of an order; null if there is none. */
export type WalletRecords = (id: string) => Promise<WithdrawalState | null>

export const createWalletRecords =
  (client: Client): WalletRecords =>
  (id) =>
    asRequest(id, () => ifCallFails(recordOf(client, id), () => null))

async function recordOf(client: Client, id: string): Promise<WithdrawalState | null> {
  const withdrawal = await client.find(getWithdrawal, { params: { id } })
  if (withdrawal) return withdrawal
  // An execution of a portfolio.
  const [order] = (await client.call(getKnownOrders, { body: { items: [id] } })).items
  return order ? { id, status: order.status, txHash: order.txHash, reason: null } : null
}
