import type { components } from '#types/core-ledger'
import { wholeList } from '../../api/list'
import { useAccount } from '../../api/names'
import { useQuery } from '../../api/query'
import { core, dataOf, serviceUrl } from '../../api/services'
import { useSession } from '../../api/session'
import { formatDay } from '../../format/time'
import { shorten, toWords } from '../../format/words'
import { Amount } from '../../ui/amount'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { CsvLink } from '../../ui/csv-link'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters, useFilters } from '../../ui/filters'
import { AccountName } from '../../ui/names'
import { Page } from '../../ui/page'
import { Empty, Loaded } from '../../ui/states'
import { Time } from '../../ui/time'
import { useParticipant } from '../participants/institution-query'
import { monthPeriod, monthsUntil, monthWords } from './months'

type Statement = components['schemas']['Statement']
type Line = components['schemas']['StatementLine']

const months = 24

/** The statement of an account for a month: to be read, printed, and taken along as a table. Months are in UTC. */
export default function Statements() {
  const filters = useFilters(['account', 'month'])
  const own = useSession().user.participantId
  const institution = useParticipant(own ?? '', own !== null)
  const accounts = institution.data?.customers.flatMap(({ accounts }) => accounts) ?? []
  const choices = monthsUntil(new Date(), months)
  const account = filters.values.account || accounts[0]?.id || ''
  const month = monthPeriod(filters.values.month) ? filters.values.month : (choices[0] ?? '')
  const period = monthPeriod(month)
  const isShown = account !== '' && period !== null
  return (
    <Page
      title="Statement"
      actions={
        isShown ? (
          <>
            <Button onClick={() => print()}>Print</Button>
            <CsvLink
              href={serviceUrl('core', `/balances/account/${encodeURIComponent(account)}/statement/export`)}
              query={period}
            />
          </>
        ) : null
      }
    >
      <div class="statement-filters">
        <Filters
          label="Choose a statement"
          of={{ ...filters, values: { account, month }, hasAny: false }}
          fields={[
            {
              kind: 'choice',
              name: 'account',
              label: 'Account',
              options:
                accounts.length > 0
                  ? accounts.map(({ id, name }) => [id, name] as const)
                  : [[account, shorten(account)]],
            },
            {
              kind: 'choice',
              name: 'month',
              label: 'Month',
              options: choices.map((each) => [each, monthWords(each)] as const),
            },
          ]}
        />
      </div>
      {isShown ? (
        <OneStatement account={account} month={month} period={period} owner={institution.data?.institutionName} />
      ) : own !== null && institution.isPending ? null : (
        <Empty icon="accounts" title="Your institution has no account yet" />
      )}
    </Page>
  )
}

interface Shown {
  account: string
  month: string
  period: { from: string; to: string }
  /** The institution's name; staff see it with the customer. */
  owner: string | undefined
}

function OneStatement({ account, month, period, owner }: Shown) {
  const statement = useQuery({
    queryKey: ['statement', account, period],
    queryFn: ({ signal }) =>
      dataOf(
        core.GET('/balances/account/{accountId}/statement', {
          params: { path: { accountId: account }, query: period },
          signal,
        }),
      ),
  })
  const { data } = useAccount(account)
  return (
    <>
      <p class="statement-head">
        {owner ? `${owner}, ` : ''}
        <strong>{data?.name ?? shorten(account)}</strong>
        {data?.customerName ? `, ${data.customerName}` : ''}: {monthWords(month)}, from{' '}
        {formatDay(period.from.slice(0, 10))} until before {formatDay(period.to.slice(0, 10))}, UTC
      </p>
      <Loaded of={statement} lines={8}>
        {(found) => (
          <div class="stack">
            <Card title="Balances" aside="available and held" isFlush>
              <DataTable
                label="Balances at both ends"
                columns={balanceColumns}
                list={{ ...wholeList({ ...statement, refetch: statement.refetch, data: found.balances }), total: null }}
                idOf={({ assetId }) => assetId}
                empty={<p class="card-line">It held nothing.</p>}
              />
            </Card>
            <Card title="Changes" isFlush>
              <DataTable
                label="Changes, oldest first"
                columns={lineColumns}
                list={{ ...wholeList({ ...statement, refetch: statement.refetch, data: found.lines }), total: null }}
                idOf={(line) => `${line.at} ${line.transactionId} ${line.balance} ${line.assetId}`}
                empty={<p class="card-line">Nothing was paid in or out in this month.</p>}
              />
            </Card>
          </div>
        )}
      </Loaded>
    </>
  )
}

const balanceColumns: readonly Column<Statement['balances'][number]>[] = [
  {
    head: 'Asset',
    narrow: 'lead',
    cell: ({ assetCode, network }) => (
      <>
        <b>{assetCode}</b> <span class="hint">{network}</span>
      </>
    ),
  },
  { head: 'Opening', align: 'end', cell: ({ opening }) => <Amount value={opening} /> },
  { head: 'In', align: 'end', cell: (row) => <Amount value={row.in} /> },
  { head: 'Out', align: 'end', cell: ({ out }) => <Amount value={out} /> },
  { head: 'Closing', align: 'end', narrow: 'end', cell: ({ closing }) => <Amount value={closing} /> },
]

const lineColumns: readonly Column<Line>[] = [
  { head: 'Posted', narrow: 'sub', cell: ({ at }) => <Time at={at} /> },
  {
    head: 'What',
    narrow: 'lead',
    cell: ({ kind, transactionId }) =>
      transactionId ? <a href={`/console/transactions/${transactionId}`}>{toWords(kind)}</a> : toWords(kind),
  },
  { head: 'Counterparty', cell: (line) => <Counterparty of={line} /> },
  { head: 'Reference', cell: ({ reference }) => reference },
  {
    head: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: ({ amount, assetCode }) => <Amount value={amount} asset={assetCode} />,
  },
  { head: 'Balance', align: 'end', cell: ({ balance }) => <Amount value={balance} /> },
]

function Counterparty({ of: { kind, counterparty } }: { of: Line }) {
  if (!counterparty) return null
  return kind === 'TRANSFER_IN' || kind === 'TRANSFER_OUT' ? (
    <AccountName id={counterparty} isPlain />
  ) : (
    <code title={counterparty}>{shorten(counterparty)}</code>
  )
}
