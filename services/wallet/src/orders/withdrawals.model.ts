import { t, uuid } from '@bursar/contracts/schema'
import { refuseWithdrawal, withdrawalChanges } from '@bursar/contracts/wallet'
import { queryInteger } from '@bursar/http'

export { WalletWithdrawal, WithdrawalState } from '@bursar/contracts/wallet'

export const ById = t.Object({ id: uuid() })
export const Refusal = refuseWithdrawal.body ?? t.Never()
export const WithdrawalChanges = withdrawalChanges.answer
export const ChangesQuery = t.Object({ after: queryInteger({ minimum: 0, default: 0 }) })
