import type { TransactionType } from '@bursar/contracts/core-ledger'
import type { RecordStatus } from '@bursar/contracts/customer'

const decimals = 6

/** An amount in the asset's own unit, by arithmetic of its own. */
export function amountText(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
  return amount < 0n ? `-${text}` : text
}

/** A transaction as its client knows it: by the answers it got. */
export interface Kept {
  id: string
  type: TransactionType
  amount: bigint
  account: Holder
  to: Holder | null
  /** The accepted verdict; null while there is none. */
  verdict: boolean | null
  review: 'approve' | 'reject' | null
  /** POST fail was answered with 200. */
  isFailed: boolean
}

/** A customer with its one account. */
export interface Holder {
  customerId: string
  accountId: string
  customerStatus: RecordStatus
  accountStatus: RecordStatus
  /** Its states are changed during the load. */
  isUnsteady: boolean
  isBusy: boolean
}

/** All that clients know at the end. */
export interface Journal {
  holders: Holder[]
  transactions: Map<string, Kept>
  /** Promises broken while the load ran. */
  broken: string[]
  counts: Record<string, number>
  /** Answers by path and status. */
  answers: Record<string, number>
}

export const newJournal = (): Journal => ({
  holders: [],
  transactions: new Map(),
  broken: [],
  counts: {},
  answers: {},
})

export const count = (counts: Record<string, number>, what: string, by = 1): void => {
  counts[what] = (counts[what] ?? 0) + by
}
