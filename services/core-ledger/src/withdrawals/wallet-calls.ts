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

export type Wallet = ReturnType<typeof createWallet>

/**
 * The calls to the wallet service. Reject with CallError. Simultaneous questions share a call; at most `calls` of each kind
 * are under way.
 */
export const createWallet = (client: Client, calls: number) => ({
  start: gathered<WalletWithdrawal, WithdrawalState>({
    one: (body) => client.call(startWithdrawal, { body, idempotencyKey: body.id }),
    many: async (items) => (await client.call(startWithdrawals, { body: { items } })).items,
    calls,
  }),
  /** Null for a withdrawal that it does not know. */
  find: gathered<string, WithdrawalState | null>({
    one: (id) => client.find(getWithdrawal, { params: { id } }),
    many: async (items) => (await client.call(getWithdrawals, { body: { items } })).items,
    calls,
  }),
  refuse: (id: string, reason: string): Promise<WithdrawalState> =>
    client.call(refuseWithdrawal, { params: { id }, body: { reason } }),
})
