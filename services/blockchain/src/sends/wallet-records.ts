import { getWithdrawal, type WithdrawalState } from '@bursar/contracts/wallet'
import { asRequest, CallError, type Client } from '@bursar/http'

/** Reads the wallet service's record of an order; null if there is none. */
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
