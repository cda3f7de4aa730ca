import type { AccountOwner } from '@bursar/contracts/participant'
import { orNull } from '@bursar/http'
import type { Db } from '@bursar/store'
import { findAccount } from '../accounts/accounts'
import type { ParticipantDeps } from '../deps'
import { fail } from '../errors'
import { learnCustomer } from '../members/customer-replicas'
import { ownerOf } from '../members/members'
import { learnAccount } from './account-replicas'

/** The participant of an account, by the replicas: its own, or that of its customer; undefined for none. */
export async function ownerOfAccount(db: Db, accountId: string): Promise<AccountOwner | undefined> {
  const account = await findAccount(db, accountId)
  if (!account) return undefined
  const { customerId } = account
  const own = account.participantId ?? undefined
  const participantId = own ?? (customerId === null ? undefined : (await ownerOf(db, customerId))?.participantId)
  return participantId === undefined ? undefined : { accountId, participantId }
}

/**
 * The same; what was just created, and whose event has not arrived, is asked for. Fails (404) when the account is no
 * participant's.
 */
export async function presentOwnerOfAccount(
  deps: Pick<ParticipantDeps, 'store' | 'client' | 'now'>,
  accountId: string,
): Promise<AccountOwner> {
  const { read } = deps.store
  const known = await ownerOfAccount(read, accountId)
  if (known) return known
  await orNull(learnAccount(deps, accountId))
  const customerId = (await findAccount(read, accountId))?.customerId ?? null
  if (customerId !== null) await orNull(learnCustomer(deps, customerId))
  const learnt = await ownerOfAccount(read, accountId)
  if (!learnt) throw fail('NOT_FOUND')
  return learnt
}
