import { useOwner } from '../../api/owners'
import { useRead } from '../../api/read'
import { account, dataOf } from '../../api/services'
import { useCan } from '../../api/session'
import { toWords } from '../../format/words'
import { Card, Facts } from '../../ui/card'
import { Id } from '../../ui/id'
import type { RouteParams } from '../../ui/load-page'
import { InstitutionName } from '../../ui/names'
import { Page } from '../../ui/page'
import { RecentTransactions } from '../../ui/recent-transactions'
import { type RecordStatus, SetStatus } from '../../ui/set-status'
import { Empty, Loaded } from '../../ui/states'
import { Status } from '../../ui/status'
import { HistoryCard } from '../../ui/status-history'
import { Time } from '../../ui/time'
import { AccountBalances } from './account-balances'
import { type AccountRow, useOneAccount } from './accounts-query'
import { Movements } from './movements'

/** One account: balances, transactions, addresses and history. */
export default function OneAccount({ params }: RouteParams) {
  const id = params.id ?? ''
  const one = useOneAccount(id)
  const { data } = one
  return (
    <Page
      title={data?.name ?? 'Account'}
      badge={data ? <Status value={data.status} /> : null}
      up={{ href: '/console/accounts', words: 'Accounts' }}
      actions={data ? <Acts of={data} /> : null}
    >
      <Loaded of={one} lines={8}>
        {(found) => (
          <div class="columns is-side">
            <div class="stack">
              <AccountBalances id={id} />
              {found.type === 'PORTFOLIO' ? <Movements id={id} /> : null}
              <RecentTransactions of={{ accountId: id }} />
            </div>
            <div class="stack">
              <AccountFacts of={found} />
              <Addresses id={id} />
              <HistoryCard
                of={['account', id]}
                createdAt={found.createdAt}
                read={(signal) => account.GET('/accounts/{id}/history', { params: { path: { id } }, signal })}
              />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const meaning: Record<RecordStatus, string> = {
  active: 'Money can move out of it again, while its customer is active too.',
  suspended: 'No money moves out of it until it is active again.',
  inactive: 'No money moves out of it until it is active again.',
  deleted: 'No money moves out of it. The record and its history stay, and it can be activated again.',
}

function Acts({ of: { id, name, status } }: { of: AccountRow }) {
  if (!useCan('operate')) return null
  return (
    <SetStatus
      thing="account"
      id={id}
      name={name}
      status={status}
      meaning={meaning}
      set={(body) => dataOf(account.PUT('/accounts/{id}', { params: { path: { id } }, body }))}
    />
  )
}

function AccountFacts({ of }: { of: AccountRow }) {
  const name = of.customerName ?? of.customerExternalId
  const owner = useOwner('accounts', of.id)
  return (
    <Card title="About">
      <Facts
        of={[
          ['Customer', of.customerId ? <a href={`/console/customers/${of.customerId}`}>{name}</a> : null],
          ['Institution', owner.data?.participantId ? <InstitutionName key="institution" accountId={of.id} /> : null],
          ['Type', toWords(of.type)],
          ['External id', of.accountExternalId ? <Id value={of.accountExternalId} isWhole /> : null],
          ['Wallet account', of.walletAccountId ? <Id value={of.walletAccountId} /> : null],
          ['Account id', <Id key="id" value={of.id} isWhole />],
          ['Created', <Time key="at" at={of.createdAt} isWhole />],
        ]}
      />
    </Card>
  )
}

function Addresses({ id }: { id: string }) {
  const addresses = useRead(
    ['account', id, 'addresses'],
    (signal) => account.GET('/accounts/{id}/addresses', { params: { path: { id } }, signal }),
    { staleTime: 60_000 },
  )
  return (
    <Card title="Addresses">
      <Loaded of={addresses} lines={2}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon="chain" title="It has no address yet">
              <p>It gets one with its first wallet.</p>
            </Empty>
          ) : (
            <ul class="address-list">
              {found.map((address) => (
                <li key={address}>
                  <Id value={address} isWhole />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
