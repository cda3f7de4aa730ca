import { getWithdrawal, type WithdrawalState } from '@bursar/contracts/wallet'
import { asRequest, type Client, ifCallFails } from '@bursar/http'

/** Reads the wallet service's record of an order; null if there is none. */
export type WalletRecords = (id: string) => Promise<WithdrawalState | null>

export const createWalletRecords =
  (client: Client): WalletRecords =>
  (id) =>
    asRequest(id, () => ifCallFails(client.call(getWithdrawal, { params: { id } }), () => null))
