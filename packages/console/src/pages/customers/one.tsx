import { wholeList } from '../../api/list'
import { useOwner } from '../../api/owners'
import { customer, dataOf } from '../../api/services'
import { useCan } from '../../api/session'
import { Amount } from '../../ui/amount'
import { Card, Facts } from '../../ui/card'
import { type Column, DataTable } from '../../ui/data-table'
import { Id } from '../../ui/id'
import type { RouteParams } from '../../ui/load-page'
import { AccountName, AccountOwnName, InstitutionName } from '../../ui/names'
import { Page } from '../../ui/page'
import { RecentTransactions } from '../../ui/recent-transactions'
import { type RecordStatus, SetStatus } from '../../ui/set-status'
import { Empty, Loaded } from '../../ui/states'
import { Status } from '../../ui/status'
import { HistoryCard } from '../../ui/status-history'
import { Time } from '../../ui/time'
import { ownedColumns } from '../accounts/account-columns'
import {
  type CustomerBalance,
  type CustomerRow,
  mostAccounts,
  useAccountsOf,
  useCustomerBalances,
  useOneCustomer,
} from './customers-query'

/** One customer: accounts, balances, transactions and history. */
export default function OneCustomer({ params }: RouteParams) {
  const id = params.id ?? ''
  const one = useOneCustomer(id)
  const { data } = one
  return (
    <Page
      title={data?.externalId ?? 'Customer'}
      badge={data ? <Status value={data.status} /> : null}
      up={{ href: '/console/customers', words: 'Customers' }}
      actions={data ? <Acts of={data} /> : null}
    >
      <Loaded of={one} lines={8}>
        {(found) => (
          <div class="columns is-side">
            <div class="stack">
              <Accounts id={id} />
              <CustomerBalances id={id} />
              <RecentTransactions of={{ customerId: id }} />
            </div>
            <div class="stack">
              <CustomerFacts of={found} />
              <HistoryCard
                of={['customer', id]}
                createdAt={found.createdAt}
                read={(signal) => customer.GET('/customers/{id}/history', { params: { path: { id } }, signal })}
              />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function CustomerFacts({ of: { id, externalId, createdAt } }: { of: CustomerRow }) {
  const owner = useOwner('customers', id)
  return (
    <Card title="About">
      <Facts
        of={[
          ['Institution', owner.data?.participantId ? <InstitutionName key="institution" customerId={id} /> : null],
          ['External id', <Id key="external" value={externalId} isWhole />],
          ['Customer id', <Id key="id" value={id} isWhole />],
          ['Created', <Time key="at" at={createdAt} isWhole />],
        ]}
      />
    </Card>
  )
}

const meaning: Record<RecordStatus, string> = {
  active: 'Money can move out of its active accounts again.',
  suspended: 'No money moves out of any of its accounts until it is active again.',
  inactive: 'No money moves out of any of its accounts until it is active again.',
  deleted: 'No money moves out of any of its accounts. The record and its history stay, and it can be activated again.',
}

function Acts({ of: { id, externalId, status } }: { of: CustomerRow }) {
  if (!useCan('operate')) return null
  return (
    <SetStatus
      thing="customer"
      id={id}
      name={externalId}
      status={status}
      meaning={meaning}
      set={(body) => dataOf(customer.PUT('/customers/{id}', { params: { path: { id } }, body }))}
    />
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
  { head: 'Total', align: 'end', narrow: 'end', cell: ({ totalBalance }) => <Amount value={totalBalance} /> },
]
