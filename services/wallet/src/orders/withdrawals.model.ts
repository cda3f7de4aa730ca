import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { t, uuid } from '@bursar/contracts/schema'
import { refuseWithdrawal, WalletWithdrawal, WithdrawalState, withdrawalChanges } from '@bursar/contracts/wallet'

export { WalletWithdrawal, WithdrawalState }

export const Withdrawals = batchOf(WalletWithdrawal)
export const WithdrawalIds = batchOf(uuid())
export const WithdrawalStates = batchAnswer(WithdrawalState)

export const ById = t.Object({ id: uuid() })
export const Refusal = refuseWithdrawal.body ?? t.Never()
export const WithdrawalChanges = withdrawalChanges.answer
