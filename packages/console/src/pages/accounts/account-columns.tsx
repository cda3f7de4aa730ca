import { groupDigits } from '../../format/amount'
import { counted, toWords } from '../../format/words'
import { Amount, Usd } from '../../ui/amount'
import type { Column } from '../../ui/data-table'
import { InstitutionName } from '../../ui/names'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import type { AccountRow } from './accounts-query'
import { useHoldings } from './accounts-query'
import { worthOf } from './worth-of'

const name: Column<AccountRow> = { head: 'Account', narrow: 'lead', cell: ({ name }) => <b>{name}</b> }
const owner: Column<AccountRow> = {
  head: 'Customer',
  narrow: 'sub',
  cell: ({ type, customerName, customerExternalId }) =>
    customerName ?? customerExternalId ?? (isOwn(type) ? <span class="none">the institution itself</span> : null),
}
const isOwn = (type: AccountRow['type']) => type === 'OMNIBUS' || type === 'FEE_PAYER'
const rest: readonly Column<AccountRow>[] = [
  { head: 'Balance', align: 'end', cell: ({ id }) => <AccountBalance id={id} /> },
  { head: 'USD', align: 'end', narrow: 'hide', cell: ({ id }) => <AccountWorth id={id} /> },
  { head: 'Type', narrow: 'hide', needsRoom: true, cell: ({ type }) => toWords(type) },
  { head: 'Status', narrow: 'end', cell: ({ status }) => <Status value={status} /> },
  {
    head: 'External id',
    narrow: 'hide',
    needsRoom: 'much',
    cell: ({ accountExternalId }) => accountExternalId,
  },
  { head: 'Created', narrow: 'sub-end', needsRoom: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

const institution: Column<AccountRow> = {
  head: 'Institution',
  isWide: true,
  cell: ({ id }) => <InstitutionName accountId={id} />,
}

export const accountColumns: readonly Column<AccountRow>[] = [name, owner, ...rest]
/** The same for staff. */
export const staffAccountColumns: readonly Column<AccountRow>[] = [name, owner, institution, ...rest]
/** The columns on the page of their customer. */
export const ownedColumns: readonly Column<AccountRow>[] = [name, ...rest]

/** What an account in a list holds: the amount of its one asset, or the number of its assets. */
function AccountBalance({ id }: { id: string }) {
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
function AccountWorth({ id }: { id: string }) {
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
