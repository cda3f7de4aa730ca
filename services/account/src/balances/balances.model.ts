import { type Static, t, timestamp, uuid } from '@bursar/contracts/schema'

/** Spec 3, Account balance. Computed exactly; numbers only here, at the edge. */
export const AccountBalance = t.Object({
  accountId: uuid(),
  currency: t.Literal('USD'),
  totalBalance: t.Number({ description: 'The sum of all usdValue' }),
  assets: t.Array(
    t.Object({
      asset: t.Object({ symbol: t.String(), name: t.String(), decimals: t.Integer({ minimum: 0 }) }),
      quantity: t.Number({ description: 'What is available and what is frozen' }),
      usdValue: t.Number({ description: 'quantity × usdQuoteRate, not rounded' }),
      usdQuoteTimestamp: timestamp(),
      usdQuoteRate: t.Number(),
    }),
  ),
  timestamp: timestamp(),
})
export type AccountBalance = Static<typeof AccountBalance>
