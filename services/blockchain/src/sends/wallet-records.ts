import { getWithdrawal, type WithdrawalState } from '@bursar/contracts/wallet'
import { asRequest, type Client, ifCallFails } from '@bursar/http'

/** What the wallet service has recorded of an order; null where it says nothing of it. */
export type WalletRecords = (id: string) => Promise<WithdrawalState | null>

export const createWalletRecords =
  (client: Client): WalletRecords =>
  (id) =>
    asRequest(id, () => ifCallFails(client.call(getWithdrawal, { params: { id } }), () => null))
