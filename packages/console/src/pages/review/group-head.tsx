import { formatUsd } from '../../format/amount'
import { counted } from '../../format/words'
import { Button } from '../../ui/button'
import { Id } from '../../ui/id'
import { AccountName } from '../../ui/names'
import { counterpartyOf, groupKey, ruleOf } from './review-groups'
import type { ReviewItem } from './review-query'

interface Props {
  /** One of the group. */
  of: ReviewItem
  all: readonly ReviewItem[]
  select?: (items: readonly ReviewItem[]) => void
}

/** What the transactions of a group have in common: the rule that stopped them, and the counterparty. */
export function GroupHead({ of, all, select }: Props) {
  const key = groupKey(of)
  const items = all.filter((item) => groupKey(item) === key)
  const usd = items.reduce((sum, { usdValue }) => sum + (usdValue ?? 0), 0)
  const counterparty = counterpartyOf(of)
  return (
    <span class="row review-group">
      <strong>{ruleOf(of)}</strong>
      {counterparty === null ? null : (
        <span>
          {of.type === 'DEPOSIT' ? 'from' : 'to'}{' '}
          {of.type === 'TRANSFER' ? <AccountName id={counterparty} isPlain /> : <Id value={counterparty} />}
        </span>
      )}
      {items.length > 1 ? (
        <span class="hint">
          {counted(items.length, 'transaction')}, ≈ {formatUsd(usd)}
        </span>
      ) : null}
      {items.length > 1 && select ? (
        <Button isSmall look="quiet" onClick={() => select(items)}>
          Select {items.length === 2 ? 'both' : `all ${items.length}`}
        </Button>
      ) : null}
    </span>
  )
}
