// Who may approve: how many persons it takes, and who is not one of them.
import type { Identity } from '@bursar/http'
import { worth } from '@bursar/money'
import type { Store, Tx } from '@bursar/store'
import type { UsdRates } from '../assets/usd-rates'
import {
  type Act,
  type Actor,
  actOf,
  type DecisionRow,
  decisionsOf,
  enteredBy,
  recordDecision,
} from '../decisions/decisions'
import type { DecisionKind } from '../decisions/decisions.table'
import { hasPriced } from '../decisions/price-changes'
import { fail } from '../errors'
import { type TransactionRecord, transactionById } from '../movements/read-transactions'

/**
 * How many persons must approve. `two if proposed`: one would be enough for the present value, but the first of two has
 * already approved it.
 */
export type Persons = 'one' | 'two' | 'two if proposed'

interface Valued extends Pick<TransactionRecord, 'amount'> {
  asset: Pick<TransactionRecord['asset'], 'code' | 'decimals'>
}

export type FourEyes = ReturnType<typeof createFourEyes>

/** FOUR_EYES_USD: transactions of at least this value need two persons. */
export function createFourEyes(rates: UsdRates, fromUsd: number | undefined) {
  const personsOf = (usd: ReturnType<typeof worth> | null): Persons => {
    if (fromUsd === undefined) return 'one'
    return usd === null || usd.gte(fromUsd) ? 'two' : 'two if proposed'
  }
  return {
    /** Whether FOUR_EYES_USD is set. */
    isOn: fromUsd !== undefined,
    /**
     * How many persons each needs, and its value in USD, to the cent; without a rate it is null, and takes two. To be called
     * before the approving commit, in any status: the transaction may become FROZEN in between. Never rejects.
     */
    async valued(transactions: readonly Valued[]): Promise<{ usdValue: number | null; persons: Persons }[]> {
      const known = await rates.ratesOf([...new Set(transactions.map(({ asset }) => asset.code))])
      return transactions.map(({ amount, asset }) => {
        const rate = known.get(asset.code)
        // Rounded up: a fraction of a cent below the limit is not below it.
        const usd = rate == null ? null : worth(amount, asset.decimals, rate, 2, 'up')
        return { usdValue: usd?.toNumber() ?? null, persons: personsOf(usd) }
      })
    },
  }
}

/** One person's approval, and the number of persons needed. */
export interface Approval extends Act {
  readonly persons: Persons
  /** Of a return that was frozen again: its payment may have begun, and can then be completed. */
  readonly mayBePaid?: boolean
}

interface Deps {
  readonly store: Store
  readonly identity: Identity
  readonly fourEyes: FourEyes
  readonly now: () => Date
}

/**
 * The approval of a request. Computed before its commit, because a rate decides how many persons it needs. 404 for an
 * unknown transaction. With four eyes, 409 for a person who has changed the basis of the asset's price within a day,
 * whatever the price is now.
 */
export const approvalOf = (deps: Deps, request: Request, id: string, note: Act['note']): Promise<Approval> =>
  approvalFor(deps, request, () => transactionById(deps.store.read, id), note)

/** The same of something else that has a value. */
export async function approvalFor(
  deps: Deps,
  request: Request,
  read: () => Promise<Valued>,
  note: Act['note'],
): Promise<Approval> {
  const act = await actOf(deps, request, note)
  if (!deps.fourEyes.isOn) return { ...act, persons: 'one' }
  const valued = await read()
  const { actor } = act
  if (actor?.kind === 'user' && (await hasPriced(deps.store.read, actor.id, valued.asset.code, deps.now()))) {
    throw fail('PRICED_BY_SAME_PERSON')
  }
  const [value] = await deps.fourEyes.valued([valued])
  return { ...act, persons: value?.persons ?? 'two' }
}

/** The answer to the first of two approvals. */
export const proposed = { proposed: true as const, approvals: 1, required: 2 }

/**
 * Fails with 403 when a person completes the screening of a transaction whose approval needs two persons. A screening
 * service is no person, and may sign its results. A return was already decided by two persons.
 */
export async function requireNoPerson(deps: Deps, request: Request, id: string): Promise<void> {
  const { returns } = await transactionById(deps.store.read, id)
  if (returns !== null) return
  const { actor, persons } = await approvalOf(deps, request, id, null)
  if (actor?.kind === 'user' && persons === 'two') throw fail('SCREENED_BY_PERSON')
}

/** The decisions that end the proposals before them. */
const ends = {
  PROPOSED: ['APPROVED', 'REJECTED'],
  RELEASE_PROPOSED: ['RETURNED'],
  RETURN_PROPOSED: ['RETURNED'],
  COVER_PROPOSED: [],
} satisfies Partial<Record<DecisionKind, DecisionKind[]>>
type Proposal = keyof typeof ends

/** The proposals of this kind that wait for a second person. */
export function openProposals(made: readonly DecisionRow[], proposal: Proposal): DecisionRow[] {
  const last = made.findLastIndex(({ decision }) => ends[proposal].some((end) => end === decision))
  return made.slice(last + 1).filter(({ decision }) => decision === proposal)
}

/**
 * True for the first of two persons, whose proposal is then recorded. A second person's approval counts after an open
 * proposal that is `present`. Fails with 403 unless the caller is a verified user, and with 409 for the person who
 * proposed or entered the transaction.
 */
export async function isFirstOfTwo(
  tx: Tx,
  id: string,
  approval: Approval,
  decision: Proposal,
  now: Date,
  isPresent = (_: DecisionRow) => true,
): Promise<boolean> {
  const { persons, actor } = approval
  const made = persons === 'one' ? [] : await decisionsOf(tx, id)
  const proposal = openProposals(made, decision).find(isPresent)
  if (persons !== 'two' && !proposal) return false
  const person = requirePerson(actor)
  if (enteredBy(made)?.id === person.id) throw fail('ENTERED_BY_SAME_PERSON')
  if (proposal?.actorId === person.id) throw fail('SAME_PERSON')
  if (proposal) return false
  await recordDecision(tx, id, decision, approval, now)
  return true
}

/** Fails with 403 unless the caller is a verified user: two persons must be persons. */
function requirePerson(actor: Actor | null): Actor {
  if (actor?.kind !== 'user') throw fail('PERSON_NEEDED')
  return actor
}
