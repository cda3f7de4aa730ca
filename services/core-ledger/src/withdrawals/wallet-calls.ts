import {
  getWithdrawal,
  getWithdrawals,
  refuseWithdrawal,
  startWithdrawal,
  startWithdrawals,
  type WalletWithdrawal,
  type WithdrawalState,
} from '@bursar/contracts/wallet'
import { type Client, gathered } from '@bursar/http'

/** The calls to the wallet service. Reject with CallError. */
export interface Wallet {
  start(order: WalletWithdrawal): Promise<WithdrawalState>
  /** Null for a withdrawal that it does not know. */
  find(id: string): Promise<WithdrawalState | null>
  refuse(id: string, reason: string): Promise<WithdrawalState>
}

/** Simultaneous questions share a call; at most `calls` of each kind are under way. */
export const createWallet = (client: Client, calls: number): Wallet => ({
  start: gathered({
    one: (body: WalletWithdrawal) => client.call(startWithdrawal, { body, idempotencyKey: body.id }),
    many: async (items) => (await client.call(startWithdrawals, { body: { items } })).items,
    calls,
  }),
  find: gathered({
    one: (id: string) => client.find(getWithdrawal, { params: { id } }),
    many: async (items) => (await client.call(getWithdrawals, { body: { items } })).items,
    calls,
  }),
  refuse: (id, reason) => client.call(refuseWithdrawal, { params: { id }, body: { reason } }),
})
