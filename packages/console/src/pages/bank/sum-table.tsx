import { Amount } from '../../ui/amount'
import { PlainTable } from '../../ui/plain-table'
import { sumsByCurrency } from './sums'

/** The exact sum in each currency. */
export const SumTable = ({ of, what }: { of: Parameters<typeof sumsByCurrency>[0]; what: string }) => (
  <PlainTable
    label="Sums by currency"
    heads={['Currency', what, 'Sum']}
    rows={sumsByCurrency(of).map(({ currency, sum, count }) => [
      currency,
      count,
      <span class="act-big">
        <Amount value={sum} />
      </span>,
    ])}
  />
)
