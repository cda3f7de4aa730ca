import { wholeList } from '../../api/list'
import { customer, dataOf } from '../../api/services'
import { useCan } from '../../api/session'
import { Amount } from '../../ui/amount'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Id } from '../../ui/id'
import type { RouteParams } from '../../ui/load-page'
import { AccountName, AccountOwnName } from '../../ui/names'
import { Empty } from '../../ui/states'
import { ownedColumns } from '../accounts/account-columns'
import { RecordPage } from '../accounts/record-page'
import {
  type CustomerBalance,
  mostAccounts,
  useAccountsOf,
  useCustomerBalances,
  useOneCustomer,
} from './customers-query'

const meaning = {
  active: 'Money can move out of its active accounts again.',
  suspended: 'No money moves out of any of its accounts until it is active again.',
  inactive: 'No money moves out of any of its accounts until it is active again.',
  deleted: 'No money moves out of any of its accounts. The record and its history stay, and it can be activated again.',
}

/** One customer: accounts, balances, transactions and history. */
export default function OneCustomer({ params: { id = '' } }: RouteParams) {
  const params = { path: { id } }
  return (
    <RecordPage
      thing="customer"
      of={useOneCustomer(id)}
      nameOf={({ externalId }) => externalId}
      meaning={meaning}
      set={(body) => dataOf(customer.PUT('/customers/{id}', { params, body }))}
      factsOf={({ externalId }) => [['External id', <Id value={externalId} isWhole />]]}
      history={(signal) => customer.GET('/customers/{id}/history', { params, signal })}
    >
      {() => (
        <>
          <Accounts id={id} />
          <CustomerBalances id={id} />
        </>
      )}
    </RecordPage>
  )
}

function Accounts({ id }: { id: string }) {
  const accounts = useAccountsOf(id)
  return (
    <DataTable
      title="Accounts"
      aside={
        accounts.data?.length === mostAccounts ? (
          <a href={`/console/accounts?customerId=${id}`}>The first {mostAccounts}; all of them</a>
        ) : null
      }
      label="Accounts of this customer"
      columns={ownedColumns}
      list={wholeList(accounts.data, accounts)}
      hrefOf={({ id }) => `/console/accounts/${id}`}
      empty={<Empty icon="accounts" title="It has no account yet" />}
    />
  )
}

/** The exact balances of a customer in the ledger, by account and asset. */
function CustomerBalances({ id }: { id: string }) {
  const balances = useCustomerBalances(id)
  return (
    <DataTable
      title="Balances"
      label="Balances by account and asset"
      columns={columns}
      list={wholeList(balances.data, balances)}
      idOf={({ accountId, assetId }) => `${accountId} ${assetId}`}
      empty={<Empty icon="accounts" title="Its accounts have never held anything" />}
    />
  )
}

/** The customer's own name is that of the page. */
function AccountLink({ of: { accountId } }: { of: CustomerBalance }) {
  if (!useCan('read')) return <AccountName id={accountId} />
  return (
    <a href={`/console/accounts/${accountId}`} title={accountId}>
      <AccountOwnName id={accountId} />
    </a>
  )
}

const columns: readonly Column<CustomerBalance>[] = [
  { head: 'Account', narrow: 'sub', cell: (row) => <AccountLink of={row} /> },
  { head: 'Asset', narrow: 'lead', cell: ({ assetCode }) => <b>{assetCode}</b> },
  { head: 'Available', align: 'end', cell: ({ availableBalance }) => <Amount value={availableBalance} /> },
  { head: 'Frozen', align: 'end', cell: ({ frozenBalance }) => <Amount value={frozenBalance} /> },
  amountColumn(({ totalBalance }) => <Amount value={totalBalance} />, 'Total'),
]
