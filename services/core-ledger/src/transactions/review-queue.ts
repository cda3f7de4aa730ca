import { about, nullable, type Static, t } from '@bursar/contracts/schema'
import { keysetQuery, queryInteger } from '@bursar/http'
import { and, asc, type Db, eq, gt, param, prepared, sql } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { decisionsOf, toDecision } from '../decisions/decisions'
import { Decision } from '../decisions/decisions.model'
import type { FourEyes } from '../decisions/four-eyes'
import { toTransactionWithAsset, transactionRecord } from './read-transactions'
import { TransactionWithAsset } from './transactions.model'
import { transactions } from './transactions.table'

/** GET /transactions/review */
export const ReviewQuery = t.Object({
  after: keysetQuery.after,
  limit: queryInteger({ minimum: 0, maximum: 100, default: 50 }),
})
type ReviewQuery = Static<typeof ReviewQuery>

/** A frozen transaction as its reviewer needs it. */
export const ReviewItem = t.Object(
  {
    ...TransactionWithAsset.properties,
    usdValue: about('An estimate at the rate of now; null where there is no rate', nullable(t.Number())),
    required: about('How many persons must approve it', t.Integer()),
    approvals: about('Who has approved it as the first of two', t.Array(Decision)),
  },
  { title: 'ReviewItem' },
)
export type ReviewItem = Static<typeof ReviewItem>

/** What waits for its review, oldest first, with its worth and its approvals. */
export async function reviewQueue(
  { db, fourEyes }: { db: Db; fourEyes: FourEyes },
  { after = '', limit }: ReviewQuery,
): Promise<ReviewItem[]> {
  const records = await frozen(db).execute({ after, limit })
  const values = await fourEyes.valued(records)
  return await Promise.all(
    records.map(async (record, index) => {
      const { usdValue = null, persons = 'one' } = values[index] ?? {}
      const proposals = (await decisionsOf(db, record.id)).filter(({ decision }) => decision === 'PROPOSED')
      const takesTwo = persons === 'two' || (persons === 'two if proposed' && proposals.length > 0)
      return {
        ...toTransactionWithAsset(record),
        usdValue,
        required: takesTwo ? 2 : 1,
        approvals: takesTwo ? proposals.map(toDecision) : [],
      }
    }),
  )
}

const frozen = prepared((db) =>
  db
    .select(transactionRecord)
    .from(transactions)
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .where(and(eq(transactions.status, sql.raw(`'FROZEN'`)), gt(transactions.id, param('after'))))
    .orderBy(asc(transactions.id))
    .limit(param('limit')),
)
