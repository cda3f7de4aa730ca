import { Amount } from '../../ui/amount'
import { sumsByCurrency } from './sums'

interface Money {
  amount: string
  currency: string
}

/** The exact sum in each currency. */
export function SumTable({ of, what }: { of: readonly Money[]; what: string }) {
  return (
    <table class="table payment-sum-table" aria-label="Sums by currency">
      <thead>
        <tr>
          <th scope="col">Currency</th>
          <th scope="col" class="is-end">
            {what}
          </th>
          <th scope="col" class="is-end">
            Sum
          </th>
        </tr>
      </thead>
      <tbody>
        {sumsByCurrency(of).map(({ currency, sum, count }) => (
          <tr key={currency}>
            <th scope="row">{currency}</th>
            <td class="is-end">{count}</td>
            <td class="is-end act-big">
              <Amount value={sum} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
