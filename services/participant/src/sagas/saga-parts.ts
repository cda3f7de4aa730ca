import type { NewAccount } from '@bursar/contracts/account'
import type { NewCustomer, StatusChange } from '@bursar/contracts/customer'
import type { ErrorCode } from '../errors'

/** A participant's change besides its customers, its key hashed and encrypted. */
export interface ResolvedChanges {
  institutionName?: string
  routerData?: Record<string, unknown> | null
  keyHash?: string
  sealedKey?: string
}

/** A customer's id; null if a step creates it. */
export type PlannedMember = string | null

export type StepInput = NewCustomer | Omit<NewAccount, 'customerId'> | StatusChange

/** The reason of a failed saga, for the caller. */
export interface Failure {
  code: ErrorCode
  message: string
}
