import { about, nullable, type Static, t } from '@bursar/contracts/schema'
import { keysetQuery, queryInteger } from '@bursar/http'
import type { Db } from '@bursar/store'
import { type FourEyes, openProposals } from '../approvals/four-eyes'
import { requireFrozen } from '../approvals/review'
import { decisionsOf, enteredBy, toDecision } from '../decisions/decisions'
import { ActorSchema, Decision } from '../decisions/decisions.model'
import { type TransactionRecord, toTransactionWithAsset, transactionById } from '../movements/read-transactions'
import { TransactionWithAsset } from '../movements/transactions.model'
import { askedOf, transactionList } from './transaction-list'

/** GET /transactions/review */
export const ReviewQuery = t.Object({
  after: keysetQuery.after,
  limit: queryInteger({ minimum: 0, maximum: 100, default: 50 }),
})
type ReviewQuery = Static<typeof ReviewQuery>

/** GET /transactions/:id/review: what its approval needs. */
export const ReviewTerms = t.Object(
  {
    usdValue: about('An estimate at the current rate; null without a rate', nullable(t.Number())),
    required: about('The number of persons who must approve it', t.Integer()),
    approvals: about('The approval as the first of two persons, if any', t.Array(Decision)),
    enteredBy: about(
      'The person who entered it, who cannot approve it with four eyes; null if no person did',
      nullable(ActorSchema),
    ),
  },
  { title: 'ReviewTerms' },
)
type ReviewTerms = Static<typeof ReviewTerms>

/** A frozen transaction in the form for its reviewer. */
export const ReviewItem = t.Object(
  { ...TransactionWithAsset.properties, ...ReviewTerms.properties },
  { title: 'ReviewItem' },
)
export type ReviewItem = Static<typeof ReviewItem>

interface Deps {
  db: Db
  fourEyes: FourEyes
}

/** Transactions that wait for review, oldest first, with their value and approvals. */
export async function reviewQueue(deps: Deps, query: ReviewQuery): Promise<ReviewItem[]> {
  const records = await transactionList.page(deps.db, askedOf({ status: 'FROZEN' }), query)
  const terms = await termsOf(deps, records)
  return records.map((record, index) => ({ ...toTransactionWithAsset(record), ...(terms[index] as ReviewTerms) }))
}

/** The same for one transaction. 404 if there is no such transaction, 400 if it is not FROZEN. */
export async function reviewTerms(deps: Deps, id: string): Promise<ReviewTerms> {
  const record = requireFrozen(await transactionById(deps.db, id))
  const [terms] = await termsOf(deps, [record])
  return terms as ReviewTerms
}

async function termsOf({ db, fourEyes }: Deps, records: TransactionRecord[]): Promise<ReviewTerms[]> {
  const values = await fourEyes.valued(records)
  return await Promise.all(
    values.map(async ({ usdValue, persons }, index) => {
      const decisions = await decisionsOf(db, records[index]?.id ?? '')
      const proposals = openProposals(decisions, 'PROPOSED')
      const takesTwo = persons === 'two' || (persons === 'two if proposed' && proposals.length > 0)
      const approvals = takesTwo ? proposals.map(toDecision) : []
      return { usdValue, required: takesTwo ? 2 : 1, approvals, enteredBy: enteredBy(decisions) }
    }),
  )
}
