import { exampleIds } from '@bursar/contracts/examples'
import { about, nullable, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { queryInteger, queryTime } from '@bursar/http'
import { Rate } from './rates.model'

const mostPoints = 500

/** GET /rates/history/:assetId; both times are inclusive. */
export const ByAsset = t.Object({ assetId: { ...uuid(), examples: [exampleIds.quoteAsset] } })
export const HistoryQuery = t.Object({
  fromTime: t.Optional(about('The earliest time, inclusive; the asset’s first rate unless given', queryTime())),
  toTime: t.Optional(about('The latest time, inclusive; now unless given', queryTime())),
  points: about('The maximum number of rates', queryInteger({ minimum: 2, maximum: mostPoints, default: mostPoints })),
})
export type RateHistoryQuery = Static<typeof HistoryQuery> & Static<typeof ByAsset>

/** The rates of an asset over a period, for a chart. */
export const RateHistory = t.Object(
  {
    asset: Rate.properties.asset,
    fromTime: timestamp(),
    toTime: timestamp(),
    intervalSeconds: about(
      'The length of the intervals of which the last rate is given; null when all rates are',
      nullable(t.Number()),
    ),
    points: about(
      'The rates, oldest first',
      t.Array(
        t.Object(
          {
            id: uuid(),
            rate: t.Number(),
            timestamp: about('When it was computed', timestamp()),
            providers: Rate.properties.data.properties.providers,
          },
          { title: 'RatePoint' },
        ),
      ),
    ),
  },
  { title: 'RateHistory', description: 'The rates of an asset over a period, thinned out for a chart' },
)
export type RateHistory = Static<typeof RateHistory>
