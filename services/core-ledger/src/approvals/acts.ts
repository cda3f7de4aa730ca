import type { Identity } from '@bursar/http'
import type { Store } from '@bursar/store'
import { actOf } from '../decisions/actors'
import type { Act } from '../decisions/decisions'
import { hasPriced } from '../decisions/price-changes'
import { fail } from '../errors'
import { transactionById } from '../movements/read-transactions'
import type { FourEyes } from './four-eyes'
import type { Approval } from './review'

interface Deps {
  readonly store: Store
  readonly identity: Identity
  readonly fourEyes: FourEyes
  readonly now: () => Date
}

/**
 * The approval of a request. Computed before its commit, because a rate decides how many persons it needs. 404 as in
 * the commit. With four eyes, 409 for a person who has changed the basis of the asset's price within a day, whatever
 * the price is now.
 */
export async function approvalOf(deps: Deps, request: Request, id: string, note: Act['note']): Promise<Approval> {
  const act = await actOf(deps, request, note)
  if (!deps.fourEyes.isOn) return { ...act, persons: 'one' }
  const transaction = await transactionById(deps.store.read, id)
  const { actor } = act
  if (actor?.kind === 'user' && (await hasPriced(deps.store.read, actor.id, transaction.asset.code, deps.now()))) {
    throw fail('PRICED_BY_SAME_PERSON')
  }
  return { ...act, persons: await deps.fourEyes.personsFor(transaction) }
}

/** The answer to the first of two approvals. */
export const proposed = { proposed: true as const, approvals: 1, required: 2 }

/**
 * If an approval needs two persons, one person cannot approve by completing the screening: 403. A screening service is
 * not a person, or has signed results. A returned deposit was already decided by two persons.
 */
export async function requireNoPerson(deps: Deps, request: Request, id: string): Promise<void> {
  const { returns } = await transactionById(deps.store.read, id)
  if (returns !== null) return
  const { actor, persons } = await approvalOf(deps, request, id, null)
  if (actor?.kind === 'user' && persons === 'two') throw fail('SCREENED_BY_PERSON')
}
