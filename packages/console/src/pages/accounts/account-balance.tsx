import { groupDigits } from '../../format/amount'
import { counted } from '../../format/words'
import { Amount, Usd } from '../../ui/amount'
import { useHoldings } from './accounts-query'
import { worthOf } from './worth-of'

/** What an account in a list holds: the amount of its one asset, or the number of its assets. */
export function AccountBalance({ id }: { id: string }) {
  const { data, error } = useHoldings(id)
  if (!data) return error ? <span class="none">unknown</span> : <span class="bone bone-1" />
  const [first, ...others] = data
  if (!first) return null
  if (others.length === 0) return <Amount value={first.totalBalance} asset={first.assetCode} />
  return (
    <span title={data.map(({ totalBalance, assetCode }) => `${groupDigits(totalBalance)} ${assetCode}`).join('\n')}>
      {counted(data.length, 'asset')}
    </span>
  )
}

/** Its estimated value; what it leaves out is said. */
export function AccountWorth({ id }: { id: string }) {
  const { data } = useHoldings(id)
  if (!data || data.length === 0) return null
  const worth = worthOf(data)
  const unpriced = worth === null ? 0 : data.filter(({ usdValue }) => usdValue === null).length
  return (
    <>
      <Usd value={worth} />
      {unpriced > 0 ? <span class="hint"> + {unpriced} without a rate</span> : null}
    </>
  )
}
