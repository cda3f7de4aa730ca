import { evidenceOf } from '../transactions/screening-evidence'
import type { ReviewItem } from './review-query'

type Item = Pick<ReviewItem, 'type' | 'screeningData' | 'sourceAddress' | 'destinationAddress' | 'toAccountId'>

/** Why the screening stopped it, in its own words. */
export function ruleOf({ screeningData }: Pick<Item, 'screeningData'>): string {
  const { reason, tags, sources, score } = evidenceOf(screeningData)
  const matched = sources.filter(({ isMatch }) => isMatch).map(({ provider }) => provider)
  if (reason) return reason
  if (matched.length > 0) return `Listed by ${matched.join(' and ')}`
  if (tags.length > 0) return tags.join(', ')
  return score === null ? 'Stopped without a reason' : 'High risk score'
}

/** The other side: an address, or the account that a transfer goes to; null for none. */
export const counterpartyOf = ({
  type,
  sourceAddress,
  destinationAddress,
  toAccountId,
}: Omit<Item, 'screeningData'>) =>
  type === 'TRANSFER' ? (toAccountId ?? null) : type === 'DEPOSIT' ? sourceAddress : destinationAddress

export const groupKey = (item: Item): string => `${ruleOf(item)} | ${counterpartyOf(item) ?? ''}`

/** Items of one rule and counterparty stand together; groups and items keep the order of age. */
export const groupedItems = <I extends Item>(items: readonly I[]): I[] =>
  [...Map.groupBy(items, groupKey).values()].flat()
