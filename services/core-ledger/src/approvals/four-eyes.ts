// Who may approve: how many persons it takes, and who is not one of them.
import type { Identity } from '@bursar/http'
import { worth } from '@bursar/money'
import type { Store, Tx } from '@bursar/store'
import type { UsdRates } from '../assets/usd-rates'
import { actOf } from '../decisions/actors'
import { type Act, type Actor, type DecisionRow, enteredBy, recordDecision } from '../decisions/decisions'
import type { DecisionKind } from '../decisions/decisions.table'
import { hasPriced } from '../decisions/price-changes'
import { fail } from '../errors'
import { type TransactionRecord, transactionById } from '../movements/read-transactions'

/**
 * How many persons must approve; `two if proposed`: its value is lower now, but one person has approved it as the first
 * of two.
 */
export type Persons = 'one' | 'two' | 'two if proposed'

type Valued = Pick<TransactionRecord, 'amount' | 'asset'>

/** FOUR_EYES_USD: transactions of at least this value need two persons. */
export interface FourEyes {
  /** Whether there is such a limit. */
  readonly isOn: boolean
  /**
   * To be called before the approving commit, whatever the transaction's status is then: it may become FROZEN in
   * between. Without a rate it needs two. Never rejects.
   */
  personsFor(transaction: Valued): Promise<Persons>
  /** The same with the value in USD, to the cent; null without a rate. */
  valued(transactions: readonly Valued[]): Promise<{ usdValue: number | null; persons: Persons }[]>
}

export function createFourEyes(rates: UsdRates, fromUsd: number | undefined): FourEyes {
  const personsOf = (usd: ReturnType<typeof worth> | null): Persons => {
    if (fromUsd === undefined) return 'one'
    return usd === null || usd.gte(fromUsd) ? 'two' : 'two if proposed'
  }
  const usdOf = ({ amount, asset }: Valued, rate: number | null | undefined) =>
    // Rounded up: a fraction of a cent below the limit is not below it.
    rate == null ? null : worth(amount, asset.decimals, rate, 2, 'up')
  return {
    isOn: fromUsd !== undefined,
    async personsFor(transaction) {
      const { code } = transaction.asset
      return personsOf(usdOf(transaction, (await rates.ratesOf([code])).get(code)))
    },
    async valued(transactions) {
      const known = await rates.ratesOf([...new Set(transactions.map(({ asset }) => asset.code))])
      return transactions.map((transaction) => {
        const usd = usdOf(transaction, known.get(transaction.asset.code))
        return { usdValue: usd?.toNumber() ?? null, persons: personsOf(usd) }
      })
    },
  }
}

/** One person's approval, and the number of persons needed. */
export interface Approval extends Act {
  readonly persons: Persons
  /** For a return that was frozen again: a payment that has begun may have to be completed. */
  readonly mayBePaid?: boolean
}

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

/**
 * True for the first of two persons, whose proposal is recorded as `decision`; `open` are those that wait for the
 * second. Fails with 403 for a caller that is no verified user, and 409 for the person who proposed it, or entered it.
 */
export async function isFirstOfTwo(
  tx: Tx,
  id: string,
  { persons, ...act }: Approval,
  made: readonly DecisionRow[],
  { open, decision, now }: { open: readonly DecisionRow[]; decision: DecisionKind; now: Date },
): Promise<boolean> {
  const [proposal] = open
  if (persons !== 'two' && !proposal) return false
  const person = requirePerson(act.actor)
  if (enteredBy(made)?.id === person.id) throw fail('ENTERED_BY_SAME_PERSON')
  if (proposal?.actorId === person.id) throw fail('SAME_PERSON')
  if (proposal) return false
  await recordDecision(tx, id, decision, act, now)
  return true
}

/** Who has approved as the first of two, in the current review. */
export function openProposals(made: readonly DecisionRow[]): DecisionRow[] {
  const last = made.findLastIndex(({ decision }) => decision === 'APPROVED' || decision === 'REJECTED')
  return made.slice(last + 1).filter(({ decision }) => decision === 'PROPOSED')
}

/** Fails with 403 unless the caller is a verified user: two persons must be persons. */
function requirePerson(actor: Actor | null): Actor {
  if (actor?.kind !== 'user') throw fail('PERSON_NEEDED')
  return actor
}
