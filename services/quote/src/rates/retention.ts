import { asc, deleteAll, lt, param, prepared, type Retained } from '@bursar/store'
import { bump, ratesOf } from '../counters/counters'
import { rates } from '../tables/rates.table'

/** Rates leave by their age, and out of the totals. */
export const retainedRates: Retained<typeof rates.$inferSelect> = {
  table: 'rates',
  oldest: (db, given) => oldest(db).execute(given),
  named: ({ timestamp, id }) => ({ at: timestamp, key: id }),
  archived: (rate) => rate,
  async remove(tx, rows) {
    const gone = await removeAll(
      tx,
      rows.map(({ id }) => id),
    )
    // One that is gone already must not be taken off the totals again.
    if (gone !== rows.length) throw new Error('A rate to delete is gone already')
    await bump(tx, 'rates', -gone)
    for (const [assetId, some] of Map.groupBy(rows, (rate) => rate.assetId)) {
      if (assetId !== null) await bump(tx, ratesOf(assetId), -some.length)
    }
    return gone
  },
}

const oldest = prepared((db) =>
  db
    .select()
    .from(rates)
    .where(lt(rates.timestamp, param('before')))
    .orderBy(asc(rates.timestamp), asc(rates.id))
    .limit(param('limit')),
)
const removeAll = deleteAll(rates, 'id')
