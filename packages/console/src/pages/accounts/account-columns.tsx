import { toWords } from '../../format/words'
import type { Column } from '../../ui/data-table'
import { InstitutionName } from '../../ui/names'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { AccountBalance, AccountWorth } from './account-balance'
import type { AccountRow } from './accounts-query'

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
