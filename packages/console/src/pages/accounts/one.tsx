import { useRead } from '../../api/read'
import { account, dataOf } from '../../api/services'
import { toWords } from '../../format/words'
import { Card } from '../../ui/card'
import { Id } from '../../ui/id'
import type { RouteParams } from '../../ui/load-page'
import { Empty, Loaded } from '../../ui/states'
import { AccountBalances } from './account-balances'
import { useOneAccount } from './accounts-query'
import { Movements } from './movements'
import { RecordPage } from './record-page'

const meaning = {
  active: 'Money can move out of it again, while its customer is active too.',
  suspended: 'No money moves out of it until it is active again.',
  inactive: 'No money moves out of it until it is active again.',
  deleted: 'No money moves out of it. The record and its history stay, and it can be activated again.',
}

/** One account: balances, transactions, addresses and history. */
export default function OneAccount({ params: { id = '' } }: RouteParams) {
  const params = { path: { id } }
  return (
    <RecordPage
      thing="account"
      of={useOneAccount(id)}
      nameOf={({ name }) => name}
      meaning={meaning}
      set={(body) => dataOf(account.PUT('/accounts/{id}', { params, body }))}
      ownerOf={({ customerId, customerName, customerExternalId }) => [
        [
          'Customer',
          customerId ? <a href={`/console/customers/${customerId}`}>{customerName ?? customerExternalId}</a> : null,
        ],
      ]}
      factsOf={({ type, accountExternalId, walletAccountId }) => [
        ['Type', toWords(type)],
        ['External id', accountExternalId ? <Id value={accountExternalId} isWhole /> : null],
        ['Wallet account', walletAccountId ? <Id value={walletAccountId} /> : null],
      ]}
      beside={<Addresses id={id} />}
      history={(signal) => account.GET('/accounts/{id}/history', { params, signal })}
    >
      {({ type }) => (
        <>
          <AccountBalances id={id} />
          {type === 'PORTFOLIO' ? <Movements id={id} /> : null}
        </>
      )}
    </RecordPage>
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
            <ul class="rows">
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
