import { formatCount } from '../format/amount'
import { Button } from './button'

/** Pages by offset, for endpoints without keyset: the shown range, and buttons to the neighbouring pages. */
export function Pagination({
  offset,
  limit,
  count,
  total,
  onChange,
}: {
  offset: number
  limit: number
  /** How many rows the page has. */
  count: number
  total?: number | null
  onChange(offset: number): void
}) {
  const isLast = total === undefined || total === null ? count < limit : offset + count >= total
  if (offset === 0 && isLast) return null
  const shown = `${formatCount(offset + 1)} to ${formatCount(offset + count)}`
  return (
    <nav class="table-foot" aria-label="Pages">
      <span>{total ? `${shown} of ${formatCount(total)}` : shown}</span>
      <Button isSmall icon="left" disabled={offset === 0} onClick={() => onChange(Math.max(0, offset - limit))}>
        Previous
      </Button>
      <Button isSmall icon="right" disabled={isLast} onClick={() => onChange(offset + limit)}>
        Next
      </Button>
    </nav>
  )
}
