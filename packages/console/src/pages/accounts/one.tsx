import { useState } from 'preact/hooks'
import { useList, wholeList } from '../../api/list'
import { reread } from '../../api/query'
import { useRead } from '../../api/read'
import { account, core, dataOf, pageOf } from '../../api/services'
import { useCan } from '../../api/session'
import { toWords } from '../../format/words'
import { Act } from '../../ui/act'
import { Amount, Usd } from '../../ui/amount'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Id } from '../../ui/id'
import type { RouteParams } from '../../ui/load-page'
import { Empty, Loaded } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { type Balance, type Movement, useBalances, useOneAccount, useWorth } from './accounts-query'
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

/** An account's balances in the ledger by asset, with their estimated value. */
function AccountBalances({ id }: { id: string }) {
  const balances = useBalances(id)
  const worth = useWorth(id)
  const usdOf = new Map(worth.data?.assets.map(({ asset, usdValue }) => [asset.symbol, usdValue]))
  return (
    <DataTable
      title="Balances"
      aside={
        worth.data ? (
          <Usd value={worth.data.totalBalance} />
        ) : worth.error ? (
          <span title={worth.error.message}>no estimate in USD</span>
        ) : null
      }
      label="Balances by asset"
      columns={columnsWith(usdOf)}
      list={wholeList(balances.data, balances)}
      idOf={({ assetId }) => assetId}
      empty={<Empty icon="accounts" title="It has never held anything" />}
    />
  )
}

const columnsWith = (usdOf: ReadonlyMap<string, number>): readonly Column<Balance>[] => [
  {
    head: 'Asset',
    narrow: 'lead',
    cell: ({ assetCode, assetName }) => (
      <>
        <b>{assetCode}</b> <span class="none">{assetName}</span>
      </>
    ),
  },
  { head: 'Available', align: 'end', cell: ({ availableBalance }) => <Amount value={availableBalance} /> },
  { head: 'Frozen', align: 'end', cell: ({ frozenBalance }) => <Amount value={frozenBalance} /> },
  amountColumn(({ totalBalance }) => <Amount value={totalBalance} />, 'Total'),
  {
    head: 'USD',
    align: 'end',
    narrow: 'sub-end',
    cell: ({ assetCode }) => <Usd value={usdOf.get(assetCode)} />,
  },
]

/** Movements at a portfolio's own addresses other than its transactions, and whether they are booked. */
function Movements({ id }: { id: string }) {
  const list = useList<Movement>({
    key: ['balances', 'movements', id],
    page: (after, limit, signal) =>
      pageOf(
        core.GET('/balances/account/{accountId}/movements', {
          params: { path: { accountId: id }, query: { order: 'desc', limit, after } },
          signal,
        }),
      ),
    everyMs: 30_000,
  })
  const mayAct = useCan('operate')
  const [covering, setCovering] = useState<Movement | null>(null)
  return (
    <Card title="Movements on chain" aside="other than its transactions" isFlush>
      <DataTable
        label="Movements on chain"
        columns={[...columns, inTheBooks(mayAct ? setCovering : undefined)]}
        list={list}
        empty={<Empty icon="chain" title="No movements other than its transactions" />}
      />
      {covering ? <CoverDialog accountId={id} of={covering} onClose={() => setCovering(null)} /> : null}
    </Card>
  )
}

/** What came in is not there any more: a person has replaced it. */
const CoverDialog = ({ accountId, of, onClose }: { accountId: string; of: Movement; onClose(): void }) => (
  <Act
    title="Cover what is missing?"
    confirm="Cover"
    note={{ label: 'Reason', min: 3, suggestions: ['The platform has paid in what is missing'] }}
    act={async ({ note, headers }) => {
      const sent = { params: { path: { accountId } }, headers, body: { movement: of.id, reason: note } }
      return (await core.POST('/balances/account/{accountId}/movements/cover', sent)).response.status === 202
    }}
    done={(isProposed) => (isProposed ? 'Another person must decide it, too' : 'The movement is covered')}
    onDone={() => reread(['balances'], ['reconciliation'])}
    onClose={onClose}
  >
    <p>
      <Amount value={of.amount} asset={of.assetCode ?? undefined} />
    </p>
    <p>
      Its chain has taken it back. Pay in what is missing to the portfolio’s own address first, and leave that deposit
      in suspense: nothing is booked by this, and the account’s withdrawals no longer wait for it. This is final, also
      if the chain confirms it again.
    </p>
  </Act>
)

const kinds = { in: 'Came in', out: 'Went out', fee: 'Network fee' } as const

const columns: readonly Column<Movement>[] = [
  { head: 'Confirmed', narrow: 'sub', cell: ({ confirmedAt }) => <Time at={confirmedAt} /> },
  { head: 'What', narrow: 'lead', cell: ({ kind }) => kinds[kind] },
  amountColumn(({ amount, assetCode, contractAddress }) => (
    <Amount value={amount} asset={assetCode ?? contractAddress ?? undefined} />
  )),
  { head: 'Transaction', cell: ({ txHash }) => <Id value={txHash} /> },
]

/** `cover` where the user may. */
const inTheBooks = (cover: ((of: Movement) => void) | undefined): Column<Movement> => ({
  head: 'In the books',
  narrow: 'sub-end',
  cell: (row) =>
    row.takenBack ? (
      <>
        <Status value="taken back" tone="bad" />{' '}
        {cover ? (
          <Button isSmall onClick={() => cover(row)}>
            Cover…
          </Button>
        ) : null}
      </>
    ) : row.bookedAt ? (
      <Status value="booked" tone="good" />
    ) : (
      <>
        <Status value="waits" tone="wait" /> <span class="sub">{row.waitsFor}</span>
      </>
    ),
})
