import { about, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'

/** One asset of an account. */
const AssetHolding = t.Object(
  {
    asset: t.Object(
      { symbol: t.String(), name: t.String(), decimals: t.Integer({ minimum: 0 }) },
      { title: 'HeldAsset' },
    ),
    quantity: t.Number({ description: 'Available plus frozen' }),
    usdValue: t.Number({ description: 'quantity × usdQuoteRate, not rounded' }),
    usdQuoteTimestamp: timestamp(),
    usdQuoteRate: t.Number(),
  },
  { title: 'AssetHolding' },
)

/** Spec 3, Account balance. Computed exactly; numbers only here, at the edge. */
export const AccountBalance = t.Object(
  {
    accountId: uuid(),
    currency: t.Literal('USD'),
    totalBalance: t.Number({ description: 'The sum of all usdValue' }),
    assets: about('The account’s holdings, by asset', t.Array(AssetHolding)),
    timestamp: about('When it was computed', timestamp()),
  },
  { title: 'AccountBalance' },
)
export type AccountBalance = Static<typeof AccountBalance>
