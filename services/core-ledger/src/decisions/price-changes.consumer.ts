import { PricingChanged } from '@bursar/contracts/quote'
import { type Consumer, type Deps, receiving } from '@bursar/http'
import { recordPriceChange } from './price-changes'

/** Records price changes that people make at the quote service. */
export const priceConsumers = ({ store }: Pick<Deps, 'store'>): Consumer[] => [
  receiving(store, PricingChanged, async (tx, { userId, assetCode, at }) => {
    if (userId !== null) await recordPriceChange(tx, userId, assetCode, new Date(at))
  }),
]
