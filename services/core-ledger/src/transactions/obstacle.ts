import type { Db } from '@bursar/store'
import { findStanding, inactivityOf } from '../accounts/accounts'
import { reversalOf } from '../chain/chain-transfers'
import type { TransactionRecord } from './read-transactions'

/** What keeps an approved transaction from being carried out. */
export interface Obstacle {
  reason: string
  /** It will not go away: the account or its customer is deleted. */
  isFinal: boolean
}

type Parties = Pick<TransactionRecord, 'id' | 'type' | 'accountId' | 'toAccountId'>

/**
 * The first of the parties' accounts that is not active, or whose customer is not; null when there is none (decisions,
 * Account or customer no longer active). A deposit waits also for a deleted account: its money stays in suspense.
 */
export async function obstacleOf(db: Db, transaction: Parties): Promise<Obstacle | null> {
  if (transaction.type === 'DEPOSIT') {
    const reason = await reversalOf(db, transaction.id)
    if (reason !== null) return { reason, isFinal: false }
  }
  for (const id of partiesOf(transaction)) {
    const standing = await findStanding(db, id)
    const reason = standing ? inactivityOf(standing) : `Account ${id} is not known`
    if (reason === null) continue
    const isDeleted = standing?.status === 'deleted' || standing?.customerStatus === 'deleted'
    return { reason, isFinal: isDeleted && transaction.type !== 'DEPOSIT' }
  }
  return null
}

/** The accounts that must be active: of a transfer the receiver's as well. */
export const partiesOf = ({ accountId, toAccountId }: Pick<Parties, 'accountId' | 'toAccountId'>): string[] =>
  toAccountId === null ? [accountId] : [accountId, toAccountId]
