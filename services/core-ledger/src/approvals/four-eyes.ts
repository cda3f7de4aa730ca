import { worth } from '@bursar/money'
import type { UsdRates } from '../assets/usd-rates'
import type { Actor } from '../decisions/decisions'
import { fail } from '../errors'
import type { TransactionRecord } from '../movements/read-transactions'

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

/** Fails with 403 unless the caller is a verified user: two persons must be persons. */
export function requirePerson(actor: Actor | null): Actor {
  if (actor?.kind !== 'user') throw fail('PERSON_NEEDED')
  return actor
}
