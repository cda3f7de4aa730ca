import { getWithdrawal, type WithdrawalState } from '@bursar/contracts/wallet'
import { asRequest, CallError, type Client } from '@bursar/http'

/** What the wallet service has recorded of an order; null where it says nothing of it. */
export type WalletRecords = (id: string) => Promise<WithdrawalState | null>

export const createWalletRecords =
  (client: Client): WalletRecords =>
  async (id) => {
    try {
      return await asRequest(id, () => client.call(getWithdrawal, { params: { id } }))
    } catch (error) {
      if (error instanceof CallError) return null
      throw error
    }
  }
