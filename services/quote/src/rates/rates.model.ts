import { Rate as RateRecord } from '@bursar/contracts/quote'
import { nonBlank, type Static, t } from '@bursar/contracts/schema'
import { pageOf, pageQuery, queryTime } from '@bursar/http'
import { searchText } from '../fields/fields'

/** A stored rate (spec 1, Rate record); its event carries it too. */
export const Rate = RateRecord
export type Rate = Static<typeof Rate>

/** POST /rates */
export const RateRequest = t.Object(
  { assetCode: nonBlank() },
  { title: 'RateRequest', examples: [{ assetCode: 'USDC' }] },
)

/** The answer of POST /rates. */
export const CurrentRate = t.Object(
  { rate: t.Number(), currency: t.Literal('USD'), isStatic: t.Boolean() },
  { title: 'CurrentRate' },
)
export type CurrentRate = Static<typeof CurrentRate>

export const RatePage = pageOf(Rate)

/** GET /rates; both times are inclusive. */
export const RateQuery = t.Object({
  name: t.Optional(searchText('Only rates of assets with this text in their name, case-insensitive')),
  fromTime: t.Optional(queryTime()),
  toTime: t.Optional(queryTime()),
  ...pageQuery({ sortBy: ['timestamp', 'rate'], defaultSort: 'timestamp', defaultOrder: 'desc' }),
})
export type RateQuery = Static<typeof RateQuery>
